import EventLog
import EventModel
import Foundation

/// Compares the output of `trackctl dump` with the reader's, byte for byte.
struct DumpAudit {
    private(set) var findings = Findings()
    /// The number of lines that the command printed.
    private(set) var lines = 0

    /// - Parameters:
    ///   - log: A log.
    ///   - dumped: The input of the command; nil for the same log.
    ///   - output: A file for the command's output.
    init(log: String, dumped: String? = nil, output: String) throws {
        let dump = try Child(Programs.trackctl, ["dump", dumped ?? log], output: output, errors: output + ".errors")
        guard let end = dump.wait(seconds: 600) else {
            findings.add(.hung, "trackctl dump")
            return
        }
        if end != .exited(0) { findings.add(.dumpDiffers, "trackctl dump \(end)") }
        let written = try LinesOfFile(output)
        var cursor = LogCursor(try EventLogReader(path: log))
        while let record = try cursor.next() {
            guard let (line, isTorn) = written.next() else {
                findings.add(.dumpDiffers, "it ends before seq \(record.seq)")
                return
            }
            lines += 1
            if isTorn || line != record.line { findings.add(.dumpDiffers, "seq \(record.seq)") }
        }
        while written.next() != nil { findings.add(.dumpDiffers, "it has more than the log") }
    }
}
