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
        var places = Array(repeating: UInt8(0), count: order.count)
        for (place, state) in order.enumerated() { places[state] = UInt8(place) }
        let columns = (1...UInt8.max).filter { byte in
            states.rows.contains { $0[Int(byte)] != $0[Int(byte) - 1] }
        }
        self.columns = columns
        next = order.flatMap { state in ([0] + columns).map { places[states.rows[state][Int($0)]] } }
        start = places[states.start]
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
