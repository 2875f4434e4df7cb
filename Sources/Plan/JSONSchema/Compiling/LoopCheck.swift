/// Finds schemas that refer to each other in a circle on the same value: applying one would never end.
struct LoopCheck {
    private let parts: ProgramParts

    init(_ parts: ProgramParts) { self.parts = parts }

    /// - Throws: ``SchemaError`` with code `.referenceLoop`.
    func check() throws(SchemaError) {
        enum State { case unseen, open, done }
        var states = [State](repeating: .unseen, count: parts.nodes.count)
        for start in parts.nodes.indices where states[start] == .unseen {
            var path: [(node: Int, next: [Int])] = [(start, targets(of: start))]
            states[start] = .open
            while let last = path.indices.last {
                guard let next = path[last].next.popLast() else {
                    states[path[last].node] = .done
                    path.removeLast()
                    continue
                }
                switch states[next] {
                case .done: break
                case .unseen:
                    states[next] = .open
                    path.append((next, targets(of: next)))
                case .open:
                    throw SchemaError(
                        code: .referenceLoop,
                        message: "it refers to itself without going on to a part of the value: no value can be checked",
                        location: parts.locations[next])
                }
            }
        }
    }

    /// The schemas that are applied to the value that this one is applied to.
    private func targets(of node: Int) -> [Int] {
        guard parts.nodes[node].logic.exists else { return [] }
        let rules = parts.logic[Int(parts.nodes[node].logic)]
        var found = [
            rules.reference, rules.dynamicReference, rules.not, rules.condition, rules.consequence, rules.alternative,
        ]
        for range in [rules.allOf, rules.anyOf, rules.oneOf] { found += range.indices.map { parts.lists[$0] } }
        if !rules.dependentSchemas.isEmpty {
            let table = parts.nameTables[Int(rules.dependentSchemas.start)].table
            found += (0..<table.count).map { table.entries[$0].node }
        }
        return found.filter(\.exists).map(Int.init)
    }
}
