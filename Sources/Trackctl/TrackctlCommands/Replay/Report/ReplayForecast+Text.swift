internal import EventLog
internal import EventModel
internal import EventQuery
internal import LogReplay
internal import TextRendering

extension ReplayForecast {
    /// What a replay would do, as a person reads it.
    ///
    /// - Parameter isPaced: Whether there is a plan, and with it a duration.
    func text(isPaced: Bool, isEndless: Bool) -> [String] {
        var lines = [
            "events    \(events.grouped)" + (isEndless ? " in each pass" : ""),
            "bytes     \(bytes.grouped)",
            "batches   \(batches.grouped)",
        ]
        if let times {
            lines.append("first     \(times.lowerBound.rfc3339)")
            lines.append("last      \(times.upperBound.rfc3339)")
        }
        lines.append("duration  \(isPaced ? duration.short : "as fast as the target takes them")")
        if alreadyDone > 0 { lines.append("done      \(alreadyDone.grouped) events, by the run before") }
        guard lanes.count > 1 else { return lines }
        return lines
            + lanes.enumerated().map { number, lane in
                let share = events == 0 ? 0 : Double(lane.events) / Double(events) * 100
                return "lane \(number)    \(lane.events.grouped) events (\(Int(share.rounded()))%)"
            }
    }
}
