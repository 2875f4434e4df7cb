internal import JSONSchema

/// A pattern as a state table: the next state for each state and byte. State 0 means that no match is possible.
struct StateTable {
    /// The bytes at which a new column starts; the first column starts at 0.
    let columns: [UInt8]
    /// The next states, by state, then by column.
    let next: [UInt8]
    let start: UInt8
    /// The first accepting state: in it and all later states the text read so far matches.
    let firstAccepting: UInt8

    /// Builds the table from the states that the validator uses.
    init(_ pattern: String) throws(PatternStates.Unsupported) {
        guard let states = ByteStates(try PatternStates(pattern)) else {
            throw PatternStates.Unsupported(reason: "it needs more than \(ByteStates.maximum) states")
        }
        // Accepting states last, in their original order.
        let isMatch = states.isMatch
        let order = isMatch.indices.filter { !isMatch[$0] } + isMatch.indices.filter { isMatch[$0] }
        var locations = Array(repeating: UInt8(0), count: order.count)
        for (location, state) in order.enumerated() { locations[state] = UInt8(location) }
        let columns = (1...UInt8.max).filter { byte in
            states.rows.contains { $0[Int(byte)] != $0[Int(byte) - 1] }
        }
        self.columns = columns
        next = order.flatMap { state in ([0] + columns).map { locations[states.rows[state][Int($0)]] } }
        start = locations[states.start]
        firstAccepting = UInt8(isMatch.count { !$0 })
    }

    /// Returns whether every text of `count` of these bytes matches.
    func accepts(every bytes: some Sequence<UInt8>, count: Int) -> Bool {
        let used = Set(bytes.map { byte in columns.count { $0 <= byte } })
        var states: Set<Int> = [Int(start)]
        for _ in 0..<count {
            states = Set(states.flatMap { state in used.map { Int(next[state * (columns.count + 1) + $0]) } })
        }
        return states.allSatisfy { $0 >= Int(firstAccepting) }
    }
}

/// A pattern's states over UTF-8 bytes, derived from its states over characters.
///
/// Input is always valid UTF-8. If all continuations of a character's first bytes lead to the same state, the
/// transition happens at the first byte, and continuation bytes change nothing.
struct ByteStates {
    /// The maximum number of states of a table: their numbers and count fit in a byte.
    static let maximum = 255

    /// The next state, by state and byte. State 0 means that no match is possible any more.
    private(set) var rows: [[Int]] = []
    /// Whether a text that ends in the state matches, by state.
    private(set) var isMatch: [Bool] = []
    private(set) var start = 0

    private var locations: [Location] = []
    private var numbers: [Location: Int] = [:]

    private enum Location: Hashable {
        case state(Int)
        /// Inside a character, with this many bytes remaining.
        case within(bytes: Int, [Run])
    }

    /// The first character of a range, and the state that the range leads to.
    private struct Run: Hashable {
        let start: UInt32
        let state: Int
    }

    /// Builds the states; nil if there are too many.
    init?(_ states: PatternStates) {
        _ = number(.state(PatternStates.dead))
        start = number(.state(states.start))
        while rows.count < locations.count {
            guard locations.count <= Self.maximum else { return nil }
            let location = locations[rows.count]
            switch location {
            case .state(let state):
                rows.append(row(of: location, Self.runs(states, from: state)))
                isMatch.append(states.isMatch[state])
            case .within(let bytes, let runs):
                rows.append(row(within: runs, bytes))
                isMatch.append(false)
            }
        }
        unifyNeighbours()
    }

    /// Continuation bytes never occur in a state between characters. Giving them the transition of their neighbors
    /// saves columns.
    private mutating func unifyNeighbours() {
        var entered: Set<Int> = []
        for (row, location) in zip(rows, locations) {
            if case .within = location { entered.formUnion(row) } else { entered.formUnion(row[0xC0...]) }
        }
        for (state, location) in locations.enumerated() where !entered.contains(state) {
            guard case .state = location else { continue }
            for byte in 0x80..<0xC0 { rows[state][byte] = rows[state][0xC0] }
        }
    }

    private mutating func number(_ location: Location) -> Int {
        if let known = numbers[location] { return known }
        numbers[location] = locations.count
        locations.append(location)
        return locations.count - 1
    }

    /// Returns the transitions of all characters from a state.
    private static func runs(_ states: PatternStates, from state: Int) -> [Run] {
        states.runs.reduce(into: []) { runs, run in
            let next = states.next[state][run.class]
            if runs.last?.state != next { runs.append(Run(start: run.start, state: next)) }
        }
    }

    /// Returns a row between two characters. Bytes that never occur in UTF-8 get the transition of their neighbors.
    private mutating func row(of location: Location, _ runs: [Run]) -> [Int] {
        (UInt32(0)...255).map { byte in
            switch byte {
            case ..<0x80: number(Self.location(runs, byte, bytes: 0))
            case ..<0xC0: number(location)
            case ..<0xE0: number(Self.location(runs, max(byte, 0xC2) & 0x1F, bytes: 1))
            case ..<0xF0: number(Self.location(runs, byte & 0x0F, bytes: 2, least: 0x800))
            default: number(Self.location(runs, min(byte, 0xF4) & 0x07, bytes: 3, least: 0x10000))
            }
        }
    }

    /// Returns a row inside a character.
    private mutating func row(within runs: [Run], _ bytes: Int) -> [Int] {
        (UInt32(0)...255).map { byte in
            number(Self.location(runs, min(max(byte, 0x80), 0xBF) & 0x3F, bytes: bytes - 1))
        }
    }

    /// Returns the location after a character's first bits, with `bytes` remaining; characters below `least` are
    /// skipped.
    private static func location(_ runs: [Run], _ bits: UInt32, bytes: Int, least: UInt32 = 0) -> Location {
        let lower = bits << UInt32(6 * bytes)
        let upper = (bits + 1) << UInt32(6 * bytes)
        let first = runs.lastIndex { $0.start <= max(lower, least) } ?? 0
        let cut = runs[first...].prefix { $0.start < upper }
        guard cut.count > 1 else { return .state(runs[first].state) }
        return .within(bytes: bytes, cut.map { Run(start: $0.start < lower ? 0 : $0.start - lower, state: $0.state) })
    }
}
