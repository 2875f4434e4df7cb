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
        var builder = CoverageMapBuilder(plan)
        root = builder.node(of: schema.root, at: pointer)
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
