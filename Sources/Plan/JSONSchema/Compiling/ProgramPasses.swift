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

/// Decides which schemas can be checked in one pass over the bytes.
enum Streaming {
    static func mark(_ parts: inout ProgramParts) {
        // A dynamic reference asks which schemas were entered on the way: then none may be passed over.
        let isDynamic = !parts.dynamicAnchors.isEmpty
        if !isDynamic { follow(&parts) }
        for number in parts.nodes.indices {
            parts.nodes[number].isStreamable = !isDynamic && isStreamable(parts.nodes[number], parts)
        }
    }

    /// Leads lone references to what they refer to in the end.
    private static func follow(_ parts: inout ProgramParts) {
        var isKnown = [Bool](repeating: false, count: parts.nodes.count)
        for number in parts.nodes.indices {
            var chain: [Int] = []
            var at = number
            // No circle: LoopCheck came before.
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

    /// By itself: schemas below it may need another way, and then get it on their own.
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
