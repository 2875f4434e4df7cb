internal import EventLog
internal import EventModel
internal import LogCare
internal import TextRendering

extension PruneReport {
    /// For people.
    ///
    /// - Parameter isPlan: Whether nothing was done.
    func lines(isPlan: Bool) -> [String] {
        let verb = isPlan ? "would remove" : "removed"
        var lines: [String] = []
        for log in logs {
            let trimming = log.trimming
            let unsent = trimming.unsent > 0 ? ", \(trimming.unsent.grouped) of them unsent" : ""
            lines.append(
                "\(log.path): \(verb) \(trimming.events.counted("event")) (\(trimming.bytes.counted("byte")))\(unsent)")
            if trimming.kept > 0 {
                lines.append(
                    "\(log.path): \(trimming.kept.grouped) more stay: a consumer has not had them (--even-unsent removes them)"
                )
            }
            if log.waiting > 0 {
                lines.append("\(log.path): \(log.waiting.counted("event")) in its journals not counted")
            }
            if !isPlan && !log.isCompacted {
                lines.append(
                    "\(log.path): the file keeps its size while another program has it open; prune again when that is closed"
                )
            }
        }
        for file in files {
            lines.append(
                "\(file.path): \(verb) the file (\(file.events.counted("event")), \(file.bytes.counted("byte")))")
        }
        lines += unreadable.map { "\($0): stays: not every line of it can be read (trackctl doctor says why)" }
        if !isPlan { lines.append("freed \(bytesFreed.counted("byte"))") }
        return lines.map(\.printable)
    }
}
