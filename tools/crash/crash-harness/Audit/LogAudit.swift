import CrashSupport
import EventLog
import EventModel
import Foundation
import TrackingCore

/// Compares a log with its senders' notes.
struct LogAudit {
    private(set) var findings = Findings()
    /// Acknowledged events of the expected runs.
    private(set) var acknowledged = 0
    /// Acknowledged events in the log.
    private(set) var found = 0
    /// Events in the log whose `send` had begun and not returned.
    private(set) var unacknowledged = 0
    /// The highest number of an event in the log.
    private(set) var highest: Int64
    /// The numbers of the events.
    private(set) var numbers = IndexSet()

    private let runs: [Int: RunNotes]
    private var seen: [Int: [[Bool]]] = [:]
    private var ids: Set<EventID> = []

    /// - Parameters:
    ///   - runs: All runs that have sent into the log.
    ///   - expected: The runs whose events must be there.
    ///   - seq: Where to start: an earlier audit has seen what is before it.
    init(_ path: String, runs: [Int: RunNotes], expecting expected: [Int], after seq: Int64 = 0) {
        self.runs = runs
        highest = seq
        for run in expected {
            seen[run] = runs[run]?.seqs.map { [Bool](repeating: false, count: $0.count) }
        }
        do {
            var cursor = LogCursor(try EventLogReader(path: path), after: seq)
            while let record = try cursor.next() { check(record) }
        } catch {
            findings.add(.failed, "the log cannot be read: \(error)")
        }
        countLost(expected)
    }

    /// Compares the events in a sink's files together with the events in the log, which keeps few delivered events.
    ///
    /// - Parameters:
    ///   - sink: The folder of the sink's files, all of them whole.
    ///   - runs: All runs that have sent into the log, whose events must all be there.
    init(_ path: String, behind sink: String, runs: [Int: RunNotes]) throws {
        self.runs = runs
        highest = 0
        for (run, notes) in runs { seen[run] = notes.seqs.map { [Bool](repeating: false, count: $0.count) } }
        let names = try FileManager.default.contentsOfDirectory(atPath: sink)
        let files = names.filter { $0.hasPrefix("events-") }.sorted() + names.filter { $0 == "events.jsonl" }
        for name in files {
            let reader = try LinesOfFile("\(sink)/\(name)")
            while let (line, _) = reader.next() {
                guard let container = try? RecordedContainer(line: line) else {
                    findings.add(.unreadable, "\(name), after seq \(highest)")
                    continue
                }
                check(
                    EventRecord(
                        seq: container.seq, id: container.id, time: container.time, name: container.name, line: line))
            }
        }
        var cursor = LogCursor(try EventLogReader(path: path), after: highest)
        while let record = try cursor.next() { check(record) }
        countLost(Array(runs.keys))
    }

    private mutating func check(_ record: EventRecord) {
        if record.seq <= highest { findings.add(.misordered, "seq \(record.seq) after \(highest)") }
        highest = max(highest, record.seq)
        if !numbers.insert(Int(record.seq)).inserted { findings.add(.doubled, "seq \(record.seq)") }
        if !ids.insert(record.id).inserted { findings.add(.doubled, "id of seq \(record.seq)") }
        let container: RecordedContainer
        do { container = try RecordedContainer(line: record.line) } catch {
            findings.add(.unreadable, "seq \(record.seq): \(error)")
            return
        }
        guard container.seq == record.seq, container.id == record.id, container.time == record.time,
            container.name == record.name
        else {
            findings.add(.unreadable, "seq \(record.seq): the row and its line differ")
            return
        }
        guard let token = TokenEvent.token(of: container) else {
            findings.add(.altered, "seq \(record.seq)")
            return
        }
        check(token, record.seq)
    }

    private mutating func check(_ token: Token, _ seq: Int64) {
        if token.isGuests { return }
        guard let notes = runs[token.run], notes.begun.indices.contains(token.lane), token.number > 0,
            token.number <= notes.begun[token.lane]
        else {
            findings.add(.invented, "seq \(seq): \(token)")
            return
        }
        guard token.number <= notes.seqs[token.lane].count else {
            unacknowledged += 1
            return
        }
        let noted = notes.seqs[token.lane][token.number - 1]
        if noted == 0 {
            findings.add(.keptThoughRefused, "seq \(seq): \(token)")
        } else if noted != seq {
            findings.add(.misnumbered, "\(token) has seq \(seq), its receipt says \(noted)")
        }
        if seen[token.run]?[token.lane][token.number - 1] == true { findings.add(.doubled, "\(token)") }
        seen[token.run]?[token.lane][token.number - 1] = true
    }

    private mutating func countLost(_ expected: [Int]) {
        for run in expected {
            guard let notes = runs[run], let seen = seen[run] else { continue }
            for (lane, seqs) in notes.seqs.enumerated() {
                for (index, seq) in seqs.enumerated() where seq != 0 {
                    acknowledged += 1
                    if seen[lane][index] {
                        found += 1
                    } else {
                        findings.add(.lost, "\(Token(run: run, lane: lane, number: index + 1)), receipt \(seq)")
                    }
                }
            }
        }
    }
}
