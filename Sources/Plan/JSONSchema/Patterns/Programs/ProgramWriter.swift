/// Compiles a parsed pattern to a program.
///
/// Remaining work is kept in a list, so that deep nesting uses no stack. Until the end, instructions refer to each
/// other by labels.
struct ProgramWriter {
    /// A remaining piece of work.
    private enum Work {
        case node(Int)
        case instruction(PatternInstruction)
        /// The label is the index of the next instruction.
        case label(Int32)
        /// Sets whether following parts are matched backwards, as in a lookbehind.
        case direction(goesBack: Bool)
    }

    private let tree: PatternTree
    /// The groups with backreferences. Only their matches are saved.
    private let referenced: Set<Int>
    /// The same groups in order.
    private let referencedInOrder: [Int]
    private let length: Int
    private var instructions: [PatternInstruction] = []
    /// The index of each label.
    private var labels: [Int32] = []
    /// The remaining work, the next piece last.
    private var work: [Work] = []
    private var registerCount: Int
    private var usesWords = false
    private var goesBack = false

    /// Compiles a pattern.
    static func program(_ source: String) throws(PatternSyntaxError) -> PatternProgram {
        let tree = try PatternParser.parse(source)
        var writer = ProgramWriter(tree, length: source.utf8.count)
        try writer.writeAll()
        let labels = writer.labels
        return PatternProgram(
            instructions: writer.instructions.map { $0.resolved(labels) }, sets: tree.sets,
            registerCount: writer.registerCount, isAnchored: tree.nodes[tree.root].isAnchored,
            needsBacktracking: tree.looks || !tree.references.isEmpty, usesWords: writer.usesWords)
    }

    private init(_ tree: PatternTree, length: Int) {
        self.tree = tree
        self.length = length
        referenced = Set(tree.references)
        referencedInOrder = referenced.sorted()
        registerCount = tree.references.isEmpty ? 0 : 2 * (tree.groupCount + 1)
        work = [.instruction(.match), .node(tree.root)]
    }

    private mutating func writeAll() throws(PatternSyntaxError) {
        // Nodes may repeat without any instruction, so visits are limited too.
        var visits = 0
        while let next = work.popLast() {
            visits += 1
            guard max(visits, work.count) <= 4 * PatternLimits.instructions,
                instructions.count <= PatternLimits.instructions
            else { throw tooLarge }
            switch next {
            case .node(let location): try write(tree.nodes[location])
            case .instruction(let instruction): instructions.append(instruction)
            case .label(let label): labels[Int(label)] = Int32(instructions.count)
            case .direction(let goesBack): self.goesBack = goesBack
            }
        }
    }

    private var tooLarge: PatternSyntaxError {
        PatternSyntaxError(offset: length, reason: "pattern too large")
    }

    private mutating func newLabel() -> Int32 {
        labels.append(0)
        return Int32(labels.count - 1)
    }

    private mutating func newRegister() -> Int32 {
        registerCount += 1
        return Int32(registerCount - 1)
    }

    /// Schedules parts next, in this order.
    private mutating func push(_ parts: [Work]) { work += parts.reversed() }

    private mutating func write(_ node: PatternNode) throws(PatternSyntaxError) {
        switch node.kind {
        case .set(let location): instructions.append(goesBack ? .setBefore(Int32(location)) : .set(Int32(location)))
        case .sequence(let items): push((goesBack ? items.reversed() : items).map { .node($0) })
        case .alternation(let alternatives): writeAlternation(alternatives)
        case .group(let number, let body):
            let start = Int32(2 * number)
            let (first, second) = goesBack ? (start + 1, start) : (start, start + 1)
            let isKept = referenced.contains(number)
            push(isKept ? [.instruction(.keep(first)), .node(body), .instruction(.keep(second))] : [.node(body)])
        case .repetition(let body, let repetition): try writeRepetition(body, repetition)
        case .assertion(let assertion):
            if assertion == .wordBoundary || assertion == .noWordBoundary { usesWords = true }
            instructions.append(.assert(assertion))
        case .look(let look, let body):
            let next = newLabel()
            push([
                .instruction(.look(isNegative: look.isNegative, next: next)), .direction(goesBack: look.isBehind),
                .node(body), .direction(goesBack: goesBack), .instruction(.lookEnd), .label(next),
            ])
        case .backreference(let location):
            let group = Int32(tree.references[location])
            instructions.append(goesBack ? .backreferenceBefore(group) : .backreference(group))
        }
    }

    private mutating func writeAlternation(_ alternatives: [Int]) {
        let end = newLabel()
        var parts: [Work] = []
        for (location, alternative) in alternatives.enumerated() {
            guard location < alternatives.count - 1 else {
                parts.append(.node(alternative))
                break
            }
            let this = newLabel()
            let next = newLabel()
            parts += [.instruction(.split(this, next)), .label(this), .node(alternative)]
            parts += [.instruction(.jump(end)), .label(next)]
        }
        push(parts + [.label(end)])
    }

    private mutating func writeRepetition(
        _ body: Int, _ repetition: PatternRepetition
    ) throws(PatternSyntaxError) {
        let node = tree.nodes[body]
        // Repeating an assertion changes nothing.
        let most = node.isBare ? min(1, repetition.maximum ?? 1) : repetition.maximum
        let least = min(repetition.minimum, most ?? repetition.minimum)
        guard max(least, most ?? 0) <= PatternLimits.instructions else { throw tooLarge }
        var parts: [Work] = []
        // Without backreferences only the existence of a match counts, so the last required round may start the loop.
        let loopsFromLast = most == nil && least > 0 && (!node.canBeEmpty || referenced.isEmpty)
        for _ in 0..<(loopsFromLast ? least - 1 : least) { parts += round(body, repetition) }
        if loopsFromLast {
            parts += loopAtLeastOnce(body, repetition)
        } else if let most {
            let end = newLabel()
            for _ in 0..<most - least {
                parts += split(into: round(body, repetition, mustConsume: !referenced.isEmpty), else: end, repetition)
            }
            parts.append(.label(end))
        } else {
            let start = newLabel()
            let end = newLabel()
            parts.append(.label(start))
            parts += split(into: round(body, repetition, mustConsume: true), else: end, repetition)
            parts += [.instruction(.jump(start)), .label(end)]
        }
        push(parts)
    }

    /// Returns one round of a repetition. With `mustConsume` an empty round fails.
    private mutating func round(_ body: Int, _ repetition: PatternRepetition, mustConsume: Bool = false) -> [Work] {
        var parts: [Work] = [.node(body)]
        let groups = repetition.groups
        if isAnyReferenced(groups) {
            let forget = PatternInstruction.forget(
                from: Int32(2 * groups.lowerBound), to: Int32(2 * groups.upperBound))
            parts.insert(.instruction(forget), at: 0)
        }
        guard mustConsume, tree.nodes[body].canBeEmpty else { return parts }
        let register = newRegister()
        return [.instruction(.keep(register))] + parts + [.instruction(.failIfEmpty(register))]
    }

    /// Returns whether any of consecutive groups has a backreference. Uses a binary search, since every round calls
    /// this.
    private func isAnyReferenced(_ groups: Range<Int>) -> Bool {
        var lower = 0
        var upper = referencedInOrder.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if referencedInOrder[middle] < groups.lowerBound { lower = middle + 1 } else { upper = middle }
        }
        return lower < referencedInOrder.count && referencedInOrder[lower] < groups.upperBound
    }

    /// Returns an optional round.
    private mutating func split(into round: [Work], else end: Int32, _ repetition: PatternRepetition) -> [Work] {
        let start = newLabel()
        let split = repetition.isGreedy ? PatternInstruction.split(start, end) : .split(end, start)
        return [.instruction(split), .label(start)] + round
    }

    private mutating func loopAtLeastOnce(_ body: Int, _ repetition: PatternRepetition) -> [Work] {
        let start = newLabel()
        let end = newLabel()
        let again = PatternInstruction.split(repetition.isGreedy ? start : end, repetition.isGreedy ? end : start)
        var parts = round(body, repetition)
        if tree.nodes[body].canBeEmpty {
            let register = newRegister()
            parts = [.instruction(.keep(register))] + parts + [.instruction(.leaveIfEmpty(register, to: end))]
        }
        return [.label(start)] + parts + [.instruction(again), .label(end)]
    }
}
