/// Finds cyclic references that apply to the same value, which would never end.
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
                        message: "the schema references itself for the same value: validation would never end",
                        location: parts.locations[next])
                }
            }
        }
    }

    /// Returns the schemas that apply to the same value.
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

/// Decides which schemas can be checked in one pass over the bytes.
enum Streaming {
    static func mark(_ parts: inout ProgramParts) {
        // A dynamic reference depends on the schemas entered on the way, so none may be skipped.
        let isDynamic = !parts.dynamicAnchors.isEmpty
        if !isDynamic { follow(&parts) }
        for number in parts.nodes.indices {
            parts.nodes[number].isStreamable = !isDynamic && isStreamable(parts.nodes[number], parts)
        }
    }

    /// Replaces lone references by their final targets.
    private static func follow(_ parts: inout ProgramParts) {
        var isKnown = [Bool](repeating: false, count: parts.nodes.count)
        for number in parts.nodes.indices {
            var chain: [Int] = []
            var at = number
            // LoopCheck has already excluded cycles.
            while !isKnown[at], let next = loneReference(parts.nodes[at], parts) {
                chain.append(at)
                at = next
            }
            let target = isKnown[at] ? parts.nodes[at].target : ProgramIndex(at)
            for link in chain {
                parts.nodes[link].target = target
                isKnown[link] = true
            }
        }
    }

    private static func loneReference(_ node: SchemaNode, _ parts: ProgramParts) -> Int? {
        guard node.logic.exists, node.kind == .rules, node.types == .any, !node.number.exists, !node.string.exists,
            !node.array.exists, !node.object.exists, node.values.isEmpty
        else { return nil }
        let rules = parts.logic[Int(node.logic)]
        var bare = LogicRules()
        bare.reference = rules.reference
        return rules.reference.exists && rules.isEqual(to: bare) ? Int(rules.reference) : nil
    }

    /// Returns whether a schema by itself can be streamed. Its subschemas may need the tape evaluator, and get it
    /// separately.
    private static func isStreamable(_ node: SchemaNode, _ parts: ProgramParts) -> Bool {
        guard !node.logic.exists else { return false }
        if node.values.indices.contains(where: { !parts.values[$0].composites.isEmpty }) { return false }
        if node.array.exists {
            let rules = parts.arrays[Int(node.array)]
            if rules.isUnique || rules.contains.exists { return false }
        }
        if node.object.exists {
            let rules = parts.objects[Int(node.object)]
            if rules.propertyNames.exists || parts.nameTables[Int(rules.names)].table.count > 64 { return false }
        }
        return true
    }
}

extension LogicRules {
    fileprivate func isEqual(to other: LogicRules) -> Bool {
        withUnsafeBytes(of: self) { left in withUnsafeBytes(of: other) { left.elementsEqual($0) } }
    }
}
