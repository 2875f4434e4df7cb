internal import EventLog
internal import EventModel
internal import LogStatistics

/// What `trackctl stats` tells.
struct StatsReport {
    /// The drops of one input's ledger.
    struct Drops {
        let input: String
        let entry: LedgerEntry
    }

    let statistics: LogStatistics
    let faultyLines: Int
    let drops: [Drops]

    /// In seconds, from the first event to the last; nil without events.
    var span: Double? {
        guard let first = statistics.firstTime, let last = statistics.lastTime else { return nil }
        // Of times near both ends of the range, the difference would not fit 64 bits.
        return (Double(last.microseconds) - Double(first.microseconds)) / 1e6
    }
}
