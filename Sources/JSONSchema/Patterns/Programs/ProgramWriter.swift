/// Writes a parsed pattern as a program.
struct ProgramWriter {
    private var instructions: [PatternInstruction] = []
    private let references: [Int]
    /// The groups that something refers to; only these are kept.
    private let referenced: Set<Int>
    private var registerCount: Int
    private var usesWords = false
    /// Whether the part being written is matched from its end to its start, inside of a look behind.
    private var goesBack = false
    /// How many nodes were written, each as often as it repeats.
    private var visits = 0
    private let length: Int

    /// Compiles a pattern.
    static func program(_ source: String) throws(PatternSyntaxError) -> PatternProgram {
        let tree = try PatternParser.parse(source)
        var writer = ProgramWriter(tree, length: source.utf8.count)
        try writer.write(tree.root)
        try writer.append(.match)
        return PatternProgram(
            instructions: writer.instructions, sets: tree.sets, registerCount: writer.registerCount,
            isAnchored: tree.root.isAnchored, needsBacktracking: tree.looks || !tree.references.isEmpty,
            usesWords: writer.usesWords)
    }

    private init(_ tree: PatternTree, length: Int) {
        references = tree.references
        referenced = Set(tree.references)
        registerCount = tree.references.isEmpty ? 0 : 2 * (tree.groupCount + 1)
        self.length = length
    }

    // MARK: Places

    private var next: Int32 { Int32(instructions.count) }

    private mutating func append(_ instruction: PatternInstruction) throws(PatternSyntaxError) {
        guard instructions.count < PatternLimits.instructions else { throw tooLarge }
        instructions.append(instruction)
    }

    private var tooLarge: PatternSyntaxError {
        PatternSyntaxError(offset: length, reason: "the pattern is too large")
    }

    /// Adds a split whose one way is the next instruction; the other is set by `close`.
    private mutating func appendSplit(greedy: Bool) throws(PatternSyntaxError) -> Int {
        try append(greedy ? .split(next + 1, -1) : .split(-1, next + 1))
        return instructions.count - 1
    }

    /// Lets the open way of a split or jump lead to the next instruction.
    private mutating func close(_ place: Int) {
        switch instructions[place] {
        case .split(-1, let other): instructions[place] = .split(next, other)
        case .split(let other, -1): instructions[place] = .split(other, next)
        case .leaveIfEmpty(let register, _): instructions[place] = .leaveIfEmpty(register, to: next)
        case .look(let isNegative, _): instructions[place] = .look(isNegative: isNegative, next: next)
        default: instructions[place] = .jump(next)
        }
    }

    // MARK: Nodes

    private mutating func write(_ node: PatternNode) throws(PatternSyntaxError) {
        visits += 1
        if visits > 2 * PatternLimits.instructions { throw tooLarge }
        switch node {
        case .empty: return
        case .set(let place): try append(goesBack ? .setBefore(Int32(place)) : .set(Int32(place)))
        case .sequence(let items): try writeSequence(items)
        case .alternation(let alternatives): try writeAlternation(alternatives)
        case .group(let number, let body): try writeGroup(number, body)
        case .repetition(let body, let repetition): try writeRepetition(body, repetition)
        case .assertion(let assertion):
            if assertion == .wordBoundary || assertion == .noWordBoundary { usesWords = true }
            try append(.assert(assertion))
        case .look(let look, let body): try writeLook(look, body)
        case .backreference(let place):
            let group = Int32(references[place])
            try append(goesBack ? .backreferenceBefore(group) : .backreference(group))
        }
    }

    private mutating func writeSequence(_ items: [PatternNode]) throws(PatternSyntaxError) {
        if goesBack {
            for item in items.reversed() { try write(item) }
        } else {
            for item in items { try write(item) }
        }
    }

    private mutating func writeAlternation(_ alternatives: [PatternNode]) throws(PatternSyntaxError) {
        var ends: [Int] = []
        for (place, alternative) in alternatives.enumerated() {
            guard place < alternatives.count - 1 else {
                try write(alternative)
                break
            }
            let split = try appendSplit(greedy: true)
            try write(alternative)
            ends.append(instructions.count)
            try append(.jump(-1))
            close(split)
        }
        for end in ends { close(end) }
    }

    private mutating func writeGroup(_ number: Int, _ body: PatternNode) throws(PatternSyntaxError) {
        guard referenced.contains(number) else { return try write(body) }
        let start = Int32(2 * number)
        try append(.keep(goesBack ? start + 1 : start))
        try write(body)
        try append(.keep(goesBack ? start : start + 1))
    }

    private mutating func writeLook(_ look: PatternLook, _ body: PatternNode) throws(PatternSyntaxError) {
        let outer = goesBack
        let place = instructions.count
        try append(.look(isNegative: look.isNegative, next: -1))
        goesBack = look.isBehind
        try write(body)
        goesBack = outer
        try append(.lookEnd)
        close(place)
    }

    // MARK: Repetitions

    private mutating func writeRepetition(
        _ body: PatternNode, _ repetition: PatternRepetition
    ) throws(PatternSyntaxError) {
        // A check that takes nothing holds as well twice as once.
        let most = body.isBare ? min(1, repetition.maximum ?? 1) : repetition.maximum
        let least = min(repetition.minimum, most ?? repetition.minimum)
        let isEmptyable = body.canBeEmpty
        // Without references only whether it matches counts, so the last needed round may begin the loop.
        let loopsFromLast = most == nil && least > 0 && (!isEmptyable || referenced.isEmpty)
        for _ in 0..<(loopsFromLast ? least - 1 : least) { try writeRound(body, repetition) }
        if loopsFromLast {
            try writeLoopAtLeastOnce(body, repetition, isEmptyable: isEmptyable)
        } else if let most {
            try writeOptions(body, repetition, count: most - least, isEmptyable: isEmptyable)
        } else {
            try writeLoop(body, repetition, isEmptyable: isEmptyable)
        }
    }

    private mutating func writeRound(
        _ body: PatternNode, _ repetition: PatternRepetition
    ) throws(PatternSyntaxError) {
        if repetition.groups.contains(where: referenced.contains) {
            let groups = repetition.groups
            try append(.forget(from: Int32(2 * groups.lowerBound), to: Int32(2 * groups.upperBound)))
        }
        try write(body)
    }

    /// Writes a round that fails if it takes nothing.
    private mutating func writeFullRound(
        _ body: PatternNode, _ repetition: PatternRepetition, isEmptyable: Bool
    ) throws(PatternSyntaxError) {
        guard isEmptyable else { return try writeRound(body, repetition) }
        let register = newRegister()
        try append(.keep(register))
        try writeRound(body, repetition)
        try append(.failIfEmpty(register))
    }

    private mutating func writeOptions(
        _ body: PatternNode, _ repetition: PatternRepetition, count: Int, isEmptyable: Bool
    ) throws(PatternSyntaxError) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(try appendSplit(greedy: repetition.isGreedy))
            try writeFullRound(body, repetition, isEmptyable: isEmptyable && !referenced.isEmpty)
        }
        for split in splits { close(split) }
    }

    private mutating func writeLoop(
        _ body: PatternNode, _ repetition: PatternRepetition, isEmptyable: Bool
    ) throws(PatternSyntaxError) {
        let split = try appendSplit(greedy: repetition.isGreedy)
        try writeFullRound(body, repetition, isEmptyable: isEmptyable)
        try append(.jump(Int32(split)))
        close(split)
    }

    private mutating func writeLoopAtLeastOnce(
        _ body: PatternNode, _ repetition: PatternRepetition, isEmptyable: Bool
    ) throws(PatternSyntaxError) {
        let start = next
        let register = isEmptyable ? newRegister() : -1
        if isEmptyable { try append(.keep(register)) }
        try writeRound(body, repetition)
        let leave = instructions.count
        if isEmptyable { try append(.leaveIfEmpty(register, to: -1)) }
        try append(repetition.isGreedy ? .split(start, next + 1) : .split(next + 1, start))
        if isEmptyable { close(leave) }
    }

    private mutating func newRegister() -> Int32 {
        registerCount += 1
        return Int32(registerCount - 1)
    }
}
