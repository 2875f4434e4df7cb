internal import LogStatistics

extension StatsReport {
    /// Writes a row for each step and event, or, without steps, for each event: RFC 4180, with a header.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func writeCSV(to output: BufferedOutput) throws {
        func write(_ cells: [String]) throws { try output.write(line: Self.row(cells).utf8) }
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

    /// Without its line feed.
    private static func row(_ cells: [String]) -> String {
        let quoted = cells.map { cell in
            cell.utf8.contains { ",\"\r\n".utf8.contains($0) }
                ? "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
                : cell
        }
        return quoted.joined(separator: ",") + "\r"
    }
}
