package import JSONSchema

/// Everything that lines can show of one schema.
package struct CoverageMap: Sendable {
    /// In the order of the schema: each property, then the values that it can have.
    package let points: [CoveragePoint]
    /// Whether these are all: there is an end to how many are found, and how deep.
    package let isComplete: Bool
    let root: CoverageNode

    /// Finds the points of a schema.
    ///
    /// - Parameters:
    ///   - schema: One of the plan's.
    ///   - pointer: Where its instance stands in a line: `/event`, or nothing for the container.
    ///   - plan: What references lead to.
    package init(_ schema: PlanSchema, at pointer: String, in plan: EventPlan) {
        self.init(schema, at: pointer, in: plan.tree)
    }

    init(_ schema: PlanSchema, at pointer: String, in tree: SchemaTree) {
        var builder = CoverageMapBuilder()
        root = tree.root(of: schema.path).map { builder.node(of: $0, at: pointer) } ?? CoverageNode()
        points = builder.points
        isComplete = builder.isComplete
    }

    /// Marks what a value shows.
    ///
    /// - Parameter marks: One for each point.
    package func mark(_ value: JSONDocument.Value, in marks: inout [Bool]) { Self.mark(value, root, &marks) }

    private static func mark(_ value: JSONDocument.Value, _ node: CoverageNode, _ marks: inout [Bool]) {
        if let point = node.point { marks[point] = true }
        for (expected, point) in node.values where !marks[point] && value.isEqual(to: expected) { marks[point] = true }
        guard node.hasChildren else { return }
        switch value.kind {
        case .object:
            for member in value.members {
                if let child = node.members[member.name] ?? node.others { mark(member.value, child, &marks) }
            }
        case .array:
            guard let elements = node.others else { return }
            for element in value.elements { mark(element, elements, &marks) }
        default: break
        }
    }
}

/// Something that lines can show of a schema: that a property is there, or that it has one of its values.
package struct CoveragePoint: Hashable, Sendable {
    /// The property as a JSON pointer into the line: `/event/value/page`. `*` stands for every element of an array, and
    /// for every member that the schema does not name.
    package let pointer: String
    /// One of the values that the schema enumerates, as JSON; nil for the property itself.
    package let value: String?

    /// The pointer, and the value behind an equals sign: `/event/value/sort="stars"`.
    package var description: String { value.map { "\(pointer)=\($0)" } ?? pointer }
}

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

/// A value as the key of a dictionary: equal to another if JSON Schema says so (`1` is `1.0`, the order of members says
/// nothing).
package struct ValueKey: Hashable, Sendable {
    /// The value.
    package let value: JSONDocument.Value

    /// Makes a key of a value.
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
            // The order says nothing.
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

    /// The digits of a number but for zeros, without its exponent: the same however it is written.
    private static func hash(_ number: ArraySlice<UInt8>, into hasher: inout Hasher) {
        let digits = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        hasher.combine(digits.filter { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 })
    }
}
