/// Searches by following all ways through a program at once, a character at a time.
///
/// The time grows with the text's length times the program's, never faster.
struct StepSimulation {
    let program: PatternProgram

    func search(_ text: UnsafeBufferPointer<UInt8>, steps: inout Int) -> PatternOutcome {
        let walk = UTF8Walk(text)
        var closure = Closure(program)
        let limit = steps
        defer { steps = max(0, limit - closure.visits) }
        var targets: [Int32] = [0]
        var before = TextEdge.boundary
        var offset = 0
        while true {
            var end = offset
            let scalar = offset < text.count ? walk.next(&end) : nil
            let after = scalar.map { TextEdge($0) } ?? .boundary
            closure.begin()
            for target in targets { closure.add(target, before: before, after: after) }
            if closure.matches { return .found }
            guard let scalar else { return .notFound }
            if closure.visits > limit { return .exhausted }
            targets.removeAll(keepingCapacity: true)
            for leaf in closure.leaves {
                guard case .set(let set) = program.instructions[Int(leaf)] else { continue }
                if program.sets[Int(set)].contains(scalar) { targets.append(leaf + 1) }
            }
            if !program.isAnchored { targets.append(0) }
            if targets.isEmpty { return .notFound }
            before = after
            offset = end
        }
    }
}
