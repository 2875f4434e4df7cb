internal import JSONSchema

/// A pattern as a table: from each state, the next one by the byte that is read. State 0 is that nothing can match.
struct StateTable {
    /// The bytes at which a new column starts; the first column starts at 0.
    let columns: [UInt8]
    /// By state, then by column.
    let next: [UInt8]
    let start: UInt8
    /// From this state on the text read so far matches.
    let firstAccepting: UInt8

    /// Makes the table of a pattern, of what the validator searches with.
    init(_ pattern: String) throws(PatternStates.Refusal) {
        guard let states = ByteStates(try PatternStates(pattern)) else {
            throw PatternStates.Refusal(reason: "it needs more than \(ByteStates.maximum) states")
        }
        // Accepting states last, in the order they were found.
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

    /// Whether every text of `count` of these bytes matches.
    func accepts(every bytes: some Sequence<UInt8>, count: Int) -> Bool {
        let used = Set(bytes.map { byte in columns.count { $0 <= byte } })
        var states: Set<Int> = [Int(start)]
        for _ in 0..<count {
            states = Set(states.flatMap { state in used.map { Int(next[state * (columns.count + 1) + $0]) } })
        }
        return states.allSatisfy { $0 >= Int(firstAccepting) }
    }
}

/// A pattern's states over the bytes of UTF-8, made of its states over characters.
///
/// Only texts that are UTF-8 are read. So a character's first bytes lead on at once if whatever follows leads to the
/// same state, and the bytes that go on a character change nothing then.
struct ByteStates {
    /// The most states that a table has: their numbers and their count fit in bytes.
    static let maximum = 255

    /// The next state, by state and byte. State 0 is that nothing can match any more.
    private(set) var rows: [[Int]] = []
    /// Whether a text that ends there matches, by state.
    private(set) var isMatch: [Bool] = []
    private(set) var start = 0

    private var locations: [Location] = []
    private var numbers: [Location: Int] = [:]

    private enum Location: Hashable {
        case state(Int)
        /// Within a character of which so many bytes are to come.
        case within(bytes: Int, [Run])
    }

    /// The characters from one on, and the state they lead to.
    private struct Run: Hashable {
        let start: UInt32
        let state: Int
    }

    /// Makes the states; nil if there are too many.
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

    /// Bytes that go on a character are never read in a state that only whole characters lead to. They lead where their
    /// neighbours do then, which saves columns.
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

    /// Where all characters lead from a state.
    private static func runs(_ states: PatternStates, from state: Int) -> [Run] {
        states.runs.reduce(into: []) { runs, run in
            let next = states.next[state][run.class]
            if runs.last?.state != next { runs.append(Run(start: run.start, state: next)) }
        }
    }

    /// A row between two characters. Bytes that are in no UTF-8 lead where their neighbours do.
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

    /// A row within a character.
    private mutating func row(within runs: [Run], _ bytes: Int) -> [Int] {
        (UInt32(0)...255).map { byte in
            number(Self.location(runs, min(max(byte, 0x80), 0xBF) & 0x3F, bytes: bytes - 1))
        }
    }

    /// The place behind the first bits of characters, with so many bytes to come; none is less than `least`.
    private static func location(_ runs: [Run], _ bits: UInt32, bytes: Int, least: UInt32 = 0) -> Location {
        let lower = bits << UInt32(6 * bytes)
        let upper = (bits + 1) << UInt32(6 * bytes)
        let first = runs.lastIndex { $0.start <= max(lower, least) } ?? 0
        let cut = runs[first...].prefix { $0.start < upper }
        guard cut.count > 1 else { return .state(runs[first].state) }
        return .within(bytes: bytes, cut.map { Run(start: $0.start < lower ? 0 : $0.start - lower, state: $0.state) })
    }
}
