/// Searches by backtracking, as ECMA-262 describes it. This is the only matcher with lookaround and backreferences.
///
/// The alternatives to try are kept in a list, so that a long text uses no stack.
struct Backtracker {
    private let instructions: UnsafeBufferPointer<PatternInstruction>
    private let sets: UnsafeBufferPointer<ScalarSet>
    private let text: UnsafeBufferPointer<UInt8>
    private let walk: UTF8Walk
    private var stepsLeft: Int
    /// The saved offsets: two per group, one per loop; -1 for none.
    private var registers: [Int]
    private var alternatives: [Alternative] = []
    /// The index in `alternatives` at which each open lookaround started.
    private var looks: [Int] = []

    /// The action after a failed match.
    private enum Alternative {
        /// Try another alternative.
        case choice(Int32, offset: Int)
        /// Restore a register.
        case register(Int32, value: Int)
        /// Leave a failed lookaround.
        case look(isNegative: Bool, next: Int32, offset: Int)
    }

    static func search(
        _ program: PatternProgram, _ text: UnsafeBufferPointer<UInt8>, steps: inout Int
    ) -> PatternOutcome {
        // Use pointers, so that a step needs no reference counting.
        program.instructions.withUnsafeBufferPointer { instructions in
            program.sets.withUnsafeBufferPointer { sets in
                var matcher = Backtracker(
                    instructions: instructions, sets: sets, text: text, registerCount: program.registerCount,
                    steps: steps)
                defer { steps = max(0, matcher.stepsLeft) }
                return matcher.search(isAnchored: program.isAnchored)
            }
        }
    }

    private init(
        instructions: UnsafeBufferPointer<PatternInstruction>, sets: UnsafeBufferPointer<ScalarSet>,
        text: UnsafeBufferPointer<UInt8>, registerCount: Int, steps: Int
    ) {
        self.instructions = instructions
        self.sets = sets
        self.text = text
        walk = UTF8Walk(text)
        stepsLeft = steps
        registers = Array(repeating: -1, count: registerCount)
    }

    private mutating func search(isAnchored: Bool) -> PatternOutcome {
        var start = 0
        while true {
            let outcome = match(at: start)
            if outcome != .notFound || start == text.count || isAnchored { return outcome }
            _ = walk.next(&start)
        }
    }

    private mutating func match(at start: Int) -> PatternOutcome {
        var location = 0
        var offset = start
        while true {
            stepsLeft -= 1
            if stepsLeft < 0 || alternatives.count > PatternLimits.alternatives { return .exhausted }
            var holds = true
            location += 1
            switch instructions[location - 1] {
            case .set(let set):
                holds = offset < text.count && sets[Int(set)].contains(walk.next(&offset))
            case .setBefore(let set):
                holds = offset > 0 && sets[Int(set)].contains(walk.previous(&offset))
            case .split(let first, let second):
                alternatives.append(.choice(second, offset: offset))
                location = Int(first)
            case .jump(let target): location = Int(target)
            case .assert(let assertion): holds = self.holds(assertion, at: offset)
            case .keep(let register): keep(offset, in: register)
            case .forget(let from, let to):
                stepsLeft -= Int(to - from) >> 4
                for register in from..<to { keep(-1, in: register) }
            case .failIfEmpty(let register): holds = registers[Int(register)] != offset
            case .leaveIfEmpty(let register, let target):
                if registers[Int(register)] == offset { location = Int(target) }
            case .backreference(let group): holds = takeGroup(Int(group), at: &offset)
            case .backreferenceBefore(let group): holds = takeGroup(Int(group), before: &offset)
            case .look(let isNegative, let next):
                looks.append(alternatives.count)
                alternatives.append(.look(isNegative: isNegative, next: next, offset: offset))
            case .lookEnd:
                if let resumed = endLook() { (location, offset) = resumed } else { holds = false }
            case .match: return .found
            }
            if !holds {
                guard let resumed = goBack() else { return .notFound }
                (location, offset) = resumed
            }
        }
    }

    /// Removes the newest alternative and returns it, or nil if there is none.
    private mutating func goBack() -> (location: Int, offset: Int)? {
        while let way = alternatives.popLast() {
            switch way {
            case .choice(let location, let offset): return (Int(location), offset)
            case .register(let register, let value): registers[Int(register)] = value
            case .look(let isNegative, let next, let offset):
                looks.removeLast()
                if isNegative { return (Int(next), offset) }
            }
        }
        return nil
    }

    /// Ends a lookaround whose pattern matched; returns nil if the lookaround is negative.
    private mutating func endLook() -> (location: Int, offset: Int)? {
        guard let start = looks.popLast(), case .look(let isNegative, let next, let offset) = alternatives[start] else {
            return nil
        }
        // Matches of inner groups are kept, but can be undone. The other alternatives are dropped.
        var count = start
        for index in start + 1..<alternatives.count {
            guard case .register = alternatives[index] else { continue }
            alternatives[count] = alternatives[index]
            count += 1
        }
        alternatives.removeLast(alternatives.count - count)
        return isNegative ? nil : (Int(next), offset)
    }

    private func holds(_ assertion: PatternAssertion, at offset: Int) -> Bool {
        // Only ASCII characters belong to words, so one byte is enough.
        let before = offset > 0 ? TextEdge(UInt32(text[offset - 1])) : .boundary
        let after = offset < text.count ? TextEdge(UInt32(text[offset])) : .boundary
        return assertion.holds(before: before, after: after)
    }

    private mutating func keep(_ value: Int, in register: Int32) {
        let old = registers[Int(register)]
        guard old != value else { return }
        stepsLeft -= 1
        alternatives.append(.register(register, value: old))
        registers[Int(register)] = value
    }

    /// Returns the match of a group, or nil if it has none.
    private func matched(_ group: Int) -> Range<Int>? {
        let start = registers[2 * group]
        let end = registers[2 * group + 1]
        return start >= 0 && end >= start ? start..<end : nil
    }

    private mutating func takeGroup(_ group: Int, at offset: inout Int) -> Bool {
        guard let range = matched(group) else { return true }
        guard equals(range, at: offset) else { return false }
        offset += range.count
        return true
    }

    private mutating func takeGroup(_ group: Int, before offset: inout Int) -> Bool {
        guard let range = matched(group) else { return true }
        guard equals(range, at: offset - range.count) else { return false }
        offset -= range.count
        return true
    }

    /// Returns whether the text at an offset equals a range of the text.
    private mutating func equals(_ range: Range<Int>, at offset: Int) -> Bool {
        guard offset >= 0, range.count <= text.count - offset else { return false }
        stepsLeft -= range.count / 16
        return Bytes.areEqual(
            UnsafeBufferPointer(rebasing: text[range]),
            UnsafeBufferPointer(rebasing: text[offset..<offset + range.count]))
    }
}
