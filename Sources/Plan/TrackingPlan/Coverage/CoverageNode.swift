internal import JSONSchema

/// What a value at one place can show.
struct CoverageNode: Sendable {
    /// The place of the point that the value is there; nil for the outermost value, and for what schemas only refuse.
    var point: Int?
    /// The values that it can have, with the places of their points.
    var values: [(value: JSONDocument.Value, point: Int)] = []
    /// The same values, to look one up.
    var keys: Set<ValueKey> = []
    /// The members that the schema names.
    var members: [String: CoverageNode] = [:]
    /// The elements of an array, and members that the schema does not name.
    var others: CoverageNode? {
        get { boxed.first }
        set { boxed = newValue.map { [$0] } ?? [] }
    }
    /// A structure cannot hold itself but in an array.
    private var boxed: [CoverageNode] = []

    var hasChildren: Bool { !members.isEmpty || !boxed.isEmpty }
}
