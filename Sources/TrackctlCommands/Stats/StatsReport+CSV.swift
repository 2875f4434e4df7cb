internal import EventFormats
internal import LogStatistics

extension StatsReport {
    /// A record for each step and event, or, without steps, for each event, and a header before them.
    var csv: [[UInt8]] {
        guard let steps = statistics.steps else {
            return [CSVText.record(["event", "count", "bytes", "users"])]
                + statistics.events.map {
                    CSVText.record([$0.name, "\($0.count)", "\($0.bytes)", "\($0.users.count)"])
                }
        }
        return [CSVText.record([steps.step.rawValue, "event", "count"])]
            + steps.rows.map { CSVText.record([$0.name(of: steps.step), $0.event, "\($0.count)"]) }
    }
}
