/// Searches by following all paths through a program in parallel, one character at a time.
///
/// The time is proportional to the length of the text times the length of the program.
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

/// Finds the instructions that are reachable without consuming a character.
struct Closure {
    private let instructions: [PatternInstruction]
    /// The round in which each instruction was last reached.
    private var rounds: [UInt32]
    private var round: UInt32 = 0
    private var waiting: [Int32] = []
    /// The reached instructions that consume a character, and assertions whose other side is unknown.
    private(set) var leaves: [Int32] = []
    /// Whether a match was reached.
    private(set) var matches = false
    /// The number of visited instructions in all rounds.
    private(set) var visits = 0

    init(_ program: PatternProgram) {
        instructions = program.instructions
        rounds = Array(repeating: 0, count: instructions.count)
    }

    /// Starts a new round.
    mutating func begin() {
        round += 1
        leaves.removeAll(keepingCapacity: true)
        matches = false
    }

    /// Follows an instruction at an offset between two edges; `after` is nil if unknown.
    mutating func add(_ start: Int32, before: TextEdge, after: TextEdge?) {
        waiting.append(start)
        while let location = waiting.popLast() {
            visits += 1
            guard rounds[Int(location)] != round else { continue }
            rounds[Int(location)] = round
            switch instructions[Int(location)] {
            case .set, .setBefore, .backreference, .backreferenceBefore, .look, .lookEnd: leaves.append(location)
            case .match: matches = true
            case .jump(let target): waiting.append(target)
            case .split(let first, let second):
                waiting.append(second)
                waiting.append(first)
            case .keep, .forget, .failIfEmpty, .leaveIfEmpty: waiting.append(location + 1)
            case .assert(let assertion):
                if let after {
                    if assertion.holds(before: before, after: after) { waiting.append(location + 1) }
                } else if assertion == .start {
                    if before == .boundary { waiting.append(location + 1) }
                } else {
                    leaves.append(location)
                }
            }
        }
    }
}
