/// A part of a difference, and where in the values it lies.
struct SetPiece<Shape> {
    var shape: Shape
    /// The names and indexes on the way from the outermost value to where the sets differ.
    var trail: [String] = []
}
