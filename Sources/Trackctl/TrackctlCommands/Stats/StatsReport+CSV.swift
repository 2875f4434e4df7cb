internal import EventFormats
internal import LogStatistics

extension StatsReport {
    /// Writes a record for each step and event, or, without steps, for each event, and a header before them.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func writeCSV(to output: BufferedOutput) throws {
        func write(_ fields: [String]) throws { try output.write(CSVText.record(fields)) }
        guard let steps = statistics.steps else {
            try write(["event", "count", "bytes", "users"])
            for event in statistics.events {
                try write([event.name, "\(event.count)", "\(event.bytes)", "\(event.users.count)"])
            }
            return
        }
        try write([steps.step.rawValue, "event", "count"])
        for row in steps.rows {
            try write([row.name(of: steps.step), row.event, "\(row.count)"])
        }
    }
}
