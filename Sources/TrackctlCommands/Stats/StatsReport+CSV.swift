internal import LogStatistics

extension StatsReport {
    /// A row for each step and event, or, without steps, for each event: RFC 4180, with a header.
    var csv: [String] {
        guard let steps = statistics.steps else {
            return [Self.row(["event", "count", "bytes", "users"])]
                + statistics.events.map { Self.row([$0.name, "\($0.count)", "\($0.bytes)", "\($0.users.count)"]) }
        }
        return [Self.row([steps.step.rawValue, "event", "count"])]
            + steps.rows.map { Self.row([$0.name(of: steps.step), $0.event, "\($0.count)"]) }
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
