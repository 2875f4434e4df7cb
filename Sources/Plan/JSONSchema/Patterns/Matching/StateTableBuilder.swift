/// Builds a program's state table. Each state is a set of instructions that a search may have reached.
struct StateTableBuilder {
    /// Instructions that need a character, or the edge after an offset.
    private struct State: Hashable {
        let leaves: [Int32]
        /// The edge before the offset, if an instruction needs it.
        let before: TextEdge
    }

    private let program: PatternProgram
    private let classes: ScalarClasses
    private var closure: Closure
    private var known: [State: UInt16] = [:]
    private var states: [State] = []
    private var locations: [UInt16] = []
    private var visits = 0

    /// The length of a row: the classes, the end, and one entry for continuation bytes.
    private let width: Int
    private let hasOneClassBeyondASCII: Bool

    /// Builds the table, or returns nil if it would be too large.
    static func table(_ program: PatternProgram) -> StateTable? {
        guard !program.needsBacktracking, let classes = ScalarClasses(program) else { return nil }
        var builder = StateTableBuilder(program, classes)
        guard let start = builder.build() else { return nil }
        return StateTable(
            locations: builder.locations, width: builder.width, start: start, byteClasses: builder.byteClasses(),
            scalarClasses: builder.hasOneClassBeyondASCII ? nil : ScalarClassTable(classes))
    }

    /// Builds the same table with numbered states; returns nil if it would be too large.
    static func states(_ program: PatternProgram) -> PatternStates? {
        guard !program.needsBacktracking, let classes = ScalarClasses(program) else { return nil }
        var builder = StateTableBuilder(program, classes)
        guard let start = builder.build() else { return nil }
        let locations = builder.locations
        let width = builder.width
        let count = classes.classes.count
        var next = [PatternStates.dead, PatternStates.matched].map { Array(repeating: $0, count: count) }
        var isMatch = [false, true]
        for row in stride(from: 2 * width, to: locations.count, by: width) {
            next.append(locations[row..<row + count].map { Int($0) / width })
            isMatch.append(locations[row + width - 1] == builder.matched)
        }
        return PatternStates(
            runs: classes.runs.map { ($0.start, Int($0.class)) }, next: next, isMatch: isMatch,
            start: Int(start) / width)
    }

    private init(_ program: PatternProgram, _ classes: ScalarClasses) {
        self.program = program
        self.classes = classes
        closure = Closure(program)
        hasOneClassBeyondASCII = classes.runs[classes.runs.count - 1].start <= 0x80
        width = classes.classes.count + (hasOneClassBeyondASCII ? 2 : 1)
    }

    /// Fills the rows and returns the first state; nil if there would be too many.
    private mutating func build() -> UInt16? {
        // The rows of `dead` and of the match, which are never read.
        locations = Array(repeating: 0, count: 2 * width)
        closure.begin()
        closure.add(0, before: .boundary, after: nil)
        let start = number(before: .boundary)
        var next = 0
        while next < states.count {
            guard states.count <= PatternLimits.states, (states.count + 2) * width <= PatternLimits.locations,
                visits + closure.visits <= PatternLimits.tableWork
            else { return nil }
            appendRow(next)
            next += 1
        }
        return start
    }

    private mutating func appendRow(_ location: Int) {
        let state = states[location]
        for number in classes.classes.indices { locations.append(next(state, after: number)) }
        if hasOneClassBeyondASCII { locations.append(UInt16((location + 2) * width)) }
        resolve(state, after: .boundary)
        locations.append(closure.matches ? matched : StateTable.dead)
    }

    private var matched: UInt16 { UInt16(width) }

    /// Returns the state after a character of a class.
    private mutating func next(_ state: State, after number: Int) -> UInt16 {
        let taken = classes.classes[number]
        let edge = program.usesWords ? TextEdge(taken.sample) : .other
        resolve(state, after: edge)
        if closure.matches { return matched }
        var targets: [Int32] = []
        for leaf in state.leaves + closure.leaves {
            guard case .set(let set) = program.instructions[Int(leaf)] else { continue }
            if taken.isIn(set) { targets.append(leaf + 1) }
        }
        visits += state.leaves.count
        closure.begin()
        for target in targets { closure.add(target, before: edge, after: nil) }
        if !program.isAnchored { closure.add(0, before: edge, after: nil) }
        return self.number(before: edge)
    }

    /// Continues from the instructions that needed the following edge.
    private mutating func resolve(_ state: State, after edge: TextEdge) {
        closure.begin()
        for leaf in state.leaves {
            guard case .assert(let assertion) = program.instructions[Int(leaf)] else { continue }
            if assertion.holds(before: state.before, after: edge) {
                closure.add(leaf + 1, before: state.before, after: edge)
            }
        }
    }

    /// Returns the number of the reached state, which is new if no other is equal.
    private mutating func number(before edge: TextEdge) -> UInt16 {
        if closure.matches { return matched }
        if closure.leaves.isEmpty { return StateTable.dead }
        let asks = closure.leaves.contains {
            if case .assert = program.instructions[Int($0)] { true } else { false }
        }
        let state = State(leaves: closure.leaves.sorted(), before: asks ? edge : .other)
        if let number = known[state] { return number }
        let location = (states.count + 2) * width
        // A table that is too large is discarded before its numbers are used.
        let number = UInt16(truncatingIfNeeded: location)
        known[state] = number
        states.append(state)
        return number
    }

    private func byteClasses() -> [UInt8] {
        var result: [UInt8] = []
        var run = 0
        for byte in 0..<UInt32(128) {
            while run + 1 < classes.runs.count, classes.runs[run + 1].start <= byte { run += 1 }
            result.append(UInt8(classes.runs[run].class))
        }
        // A continuation byte changes nothing: the first byte determined the class.
        let lead = UInt8(classes.runs[classes.runs.count - 1].class)
        result += Array(repeating: UInt8(classes.classes.count), count: 64)
        result += Array(repeating: lead, count: 64)
        return result
    }
}
