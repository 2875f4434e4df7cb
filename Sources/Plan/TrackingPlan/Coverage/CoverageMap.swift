package import JSONSchema

/// The coverage points of one schema.
package struct CoverageMap: Sendable {
    /// The points in the order of the schema: each property, then its possible values.
    package let points: [CoveragePoint]
    /// Whether the points are complete. Their number and their depth are limited.
    package let isComplete: Bool
    let root: CoverageNode

    /// Finds the points of a schema.
    ///
    /// - Parameters:
    ///   - schema: A schema of the plan.
    ///   - pointer: The location of its instance in a line: `/event`, or empty for the container.
    ///   - plan: The plan in which to resolve references.
    package init(_ schema: PlanSchema, at pointer: String, in plan: EventPlan) {
        self.init(schema, at: pointer, in: plan.tree)
    }

    init(_ schema: PlanSchema, at pointer: String, in tree: SchemaTree) {
        var builder = CoverageMapBuilder()
        root = tree.root(of: schema.path).map { builder.node(of: $0, at: pointer) } ?? CoverageNode()
        points = builder.points
        isComplete = builder.isComplete
    }

    /// Marks the points that a value covers.
    ///
    /// - Parameter marks: One for each point.
    package func mark(_ value: JSONDocument.Value, in marks: inout [Bool]) { Self.mark(value, node: root, in: &marks) }

    private static func mark(_ value: JSONDocument.Value, node: CoverageNode, in marks: inout [Bool]) {
        if let point = node.point { marks[point] = true }
        for (expected, point) in node.values where !marks[point] && value.isEqual(to: expected) { marks[point] = true }
        guard node.hasChildren else { return }
        switch value.kind {
        case .object:
            for member in value.members {
                if let child = node.members[member.name] ?? node.others { mark(member.value, node: child, in: &marks) }
            }
        case .array:
            guard let elements = node.others else { return }
            for element in value.elements { mark(element, node: elements, in: &marks) }
        default: break
        }
    }
}

/// A coverage point of a schema: the presence of a property, or one of its values.
package struct CoveragePoint: Hashable, Sendable {
    /// The property as a JSON pointer into the line: `/event/value/page`. `*` stands for every element of an array, and
    /// for every unnamed member.
    package let pointer: String
    /// One of the enumerated values, as JSON; nil for the property itself.
    package let value: String?

    /// The pointer, and the value after an equals sign: `/event/value/sort="stars"`.
    package var description: String { value.map { "\(pointer)=\($0)" } ?? pointer }
}

/// The coverage points of one value.
struct CoverageNode: Sendable {
    /// The index of the point for the value's presence; nil for the root, and for values that schemas only reject.
    var point: Int?
    /// The enumerated values, with the indexes of their points.
    var values: [(value: JSONDocument.Value, point: Int)] = []
    /// The same values, for lookup.
    var keys: Set<ValueKey> = []
    /// The members that the schema names.
    var members: [String: CoverageNode] = [:]
    /// The elements of an array, and unnamed members.
    var others: CoverageNode? {
        get { boxed.first }
        set { boxed = newValue.map { [$0] } ?? [] }
    }
    /// A struct can contain itself only through an array.
    private var boxed: [CoverageNode] = []

    var hasChildren: Bool { !members.isEmpty || !boxed.isEmpty }
}

/// A JSON value as a dictionary key, which compares as JSON Schema defines equality: `1` equals `1.0`, and the order of
/// members is irrelevant.
package struct ValueKey: Hashable, Sendable {
    package let value: JSONDocument.Value

    /// Makes a key from a value.
    package init(_ value: JSONDocument.Value) { self.value = value }

    package static func == (left: ValueKey, right: ValueKey) -> Bool { left.value.isEqual(to: right.value) }

    package func hash(into hasher: inout Hasher) {
        switch value.kind {
        case .boolean: hasher.combine(value.boolean)
        case .number:
            if let integer = value.integer { hasher.combine(integer) } else { Self.hash(value.source, into: &hasher) }
        case .string: hasher.combine(value.utf8)
        case .array:
            let elements = value.elements
            hasher.combine(elements.count)
            for element in elements { hasher.combine(ValueKey(element)) }
        case .object:
            let members = value.members
            hasher.combine(members.count)
            // The order of members is irrelevant.
            let sum = members.reduce(0) { sum, member in
                var inner = Hasher()
                inner.combine(Array(member.name.utf8))
                inner.combine(ValueKey(member.value))
                return sum ^ inner.finalize()
            }
            hasher.combine(sum)
        default: break
        }
    }

    /// Hashes the digits of a number without zeros and exponent, so that equal numbers have equal hashes.
    private static func hash(_ number: ArraySlice<UInt8>, into hasher: inout Hasher) {
        let digits = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        hasher.combine(digits.filter { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 })
    }
}
