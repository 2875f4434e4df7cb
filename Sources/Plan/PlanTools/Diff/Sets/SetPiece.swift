/// A part of a difference, and where in the values it lies.
struct SetPiece<Shape> {
    var shape: Shape
    /// The names and indexes on the way from the outermost value to where the sets differ.
    var trail: [String] = []

    /// What is left of shapes when others are taken away one after the other. The first trail stays.
    static func rest(
        of shapes: [Shape], _ others: [Shape], _ subtract: (Shape, Shape) throws(BeyondSets) -> [SetPiece]
    ) throws(BeyondSets) -> [SetPiece] {
        var left = shapes.map { SetPiece(shape: $0) }
        for other in others where !left.isEmpty {
            var next: [SetPiece] = []
            for piece in left {
                for found in try subtract(piece.shape, other) {
                    next.append(SetPiece(shape: found.shape, trail: piece.trail.isEmpty ? found.trail : piece.trail))
                }
            }
            left = next
        }
        return left
    }
}
