import CrashSupport
import EventLog
import EventModel
import Foundation
import TrackingCore

/// Compares the files of a sink with the log: each event at most once, in order, and at the end all events.
struct SinkAudit {
    private(set) var findings = Findings()
    /// The number of lines in all files.
    private(set) var lines = 0
    /// The number of files, including the open file.
    private(set) var files = 0

    private var cursor: LogCursor
    private var lastSeq: Int64 = 0

    /// - Parameters:
    ///   - folder: The folder of the files.
    ///   - log: The log.
    ///   - isFinal: Whether everything was flushed: then no event may be missing, and no line torn.
    init(folder: String, log: String, isFinal: Bool) throws {
        cursor = LogCursor(try EventLogReader(path: log))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        for name in names where name.contains(".jsonl.damaged-") { findings.add(.sinkSetAside, name) }
        let finished = names.filter { $0.hasPrefix("events-") && $0.hasSuffix(".jsonl") }.sorted()
        let all = finished + names.filter { $0 == "events.jsonl" }
        files = all.count
        for name in all {
            let reader = try LinesOfFile("\(folder)/\(name)")
            while let (line, isTorn) = reader.next() {
                if isTorn {
                    // The rest of an interrupted delivery; the next delivery writes it again.
                    if isFinal || name != "events.jsonl" { findings.add(.sinkAltered, "\(name) ends in a torn line") }
                } else {
                    try check(line, in: name)
                }
            }
        }
        guard isFinal else { return }
        while let record = try cursor.next() { findings.add(.sinkLost, "seq \(record.seq), at the end") }
    }

    private mutating func check(_ line: [UInt8], in name: String) throws {
        lines += 1
        // Usually it is the log's next event, which needs no parsing.
        var ahead = cursor
        if let record = try ahead.next(), record.line == line {
            (cursor, lastSeq) = (ahead, record.seq)
            return
        }
        guard let container = try? RecordedContainer(line: line) else {
            findings.add(.sinkAltered, "\(name) has a line that is not a container, after seq \(lastSeq)")
            return
        }
        guard container.seq > lastSeq else {
            findings.add(.sinkDoubled, "\(name): seq \(container.seq) after \(lastSeq)")
            return
        }
        lastSeq = container.seq
        ahead = cursor
        while let record = try ahead.next(), record.seq <= container.seq {
            cursor = ahead
            if record.seq == container.seq {
                if record.line != line { findings.add(.sinkAltered, "\(name): seq \(container.seq)") }
                return
            }
            findings.add(.sinkLost, "seq \(record.seq), before \(container.seq) in \(name)")
        }
        // Delivered here, and removed from the log before all other sinks had it.
        if TokenEvent.token(of: container)?.isGuests == true { return }
        findings.add(.sinkInvented, "\(name): seq \(container.seq)")
    }
}
