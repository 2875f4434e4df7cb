/// What was seen of one install.
struct InstallFindings {
    /// Events, doubles counted each time.
    private(set) var count = 0
    /// Numbers seen at least once.
    private(set) var seen = SeqRanges()
    /// Numbers seen more than once.
    private(set) var doubles = SeqRanges()
    /// Events whose number had been seen before.
    private(set) var doubleCount = 0

    mutating func add(seq: Int64) {
        count += 1
        guard !seen.insert(seq) else { return }
        doubleCount += 1
        _ = doubles.insert(seq)
    }

    var firstSeq: Int64 { seen.ranges.first?.lowerBound ?? 0 }
    var lastSeq: Int64 { seen.ranges.last?.upperBound ?? 0 }

    /// How many numbers are missing between the first and the last.
    var missing: Int64 { seen.gaps.reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 } }
}
