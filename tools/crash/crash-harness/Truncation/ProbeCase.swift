import EventLog
import EventModel
import Foundation
import TrackingCore

/// Opens a damaged log like an app, sends an event, and compares the log with what it must and may contain.
struct ProbeCase {
    let scene: Scene
    let expectation: Scene.Expectation
    /// The name of the damaged file.
    let file: String
    private static let probeID = EventID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)

    /// The result of a case.
    struct Outcome {
        var findings = Findings()
        var found = 0
    }

    /// - Parameters:
    ///   - folder: The folder of the damaged files.
    ///   - length: The length of a truncated file; nil for other damage.
    func check(_ folder: String, length: Int?, name: String) async -> Outcome {
        var outcome = Outcome()
        let path = folder + "/events.sqlite"
        do {
            let log = try SQLiteEventStore(path: path, options: .init(installID: { "probe" }, retention: .keepAll))
            let isFlushed = file.hasSuffix(".jsonl")
            if isFlushed { try await flush(log, folder) }
            if case .failure(let drop) = log.append({ Self.probe($0) }) {
                outcome.findings.add(.failed, "\(name): a new event is refused: \(String(describing: drop.reason))")
            }
            if isFlushed { try await flush(log, folder) }
            try await log.close()
            try compare(path, length, name, &outcome)
            // No process writes a finished file after it is renamed, so only its readers notice a truncation.
            if file == "events.jsonl" {
                outcome.findings += try SinkAudit(folder: folder, log: path, isFinal: true).findings
            }
        } catch {
            outcome.findings.add(.failed, "\(name): \(error)")
        }
        return outcome
    }

    private func flush(_ log: SQLiteEventStore, _ folder: String) async throws {
        let sink = JSONLinesFileSink(
            directory: folder, fileName: "events", rotation: FileRotation(maximumBytes: 64 << 10))
        let flusher = try EventFlusher(
            log: log, sinks: [sink], policy: .manual, clock: SystemTrackingClock(), timer: ContinuousClock(),
            diagnostics: { _ in })
        await flusher.flush()
    }

    private static func probe(_ seq: Int64) -> EventRecord {
        let line = """
            {"v":1,"id":"\(probeID.text)","install_id":"probe","seq":\(seq),"session_id":"probe","user_id":"probe",\
            "time":1,"schema":"probe/1-0-0","event":{"name":"probe"}}
            """
        return EventRecord(
            seq: seq, id: probeID, time: EventTime(seconds: 1), name: "probe", line: Array(line.utf8))
    }

    private func compare(_ path: String, _ length: Int?, _ name: String, _ outcome: inout Outcome) throws {
        // While the shared counter is unchanged, every assigned number is known.
        let isCounterIntact = scene.control != nil && file != Scene.journal + "control"
        var numbers = IndexSet()
        var probeSeq: Int64?
        var cursor = LogCursor(try EventLogReader(path: path))
        while let record = try cursor.next() {
            if !numbers.insert(Int(record.seq)).inserted {
                outcome.findings.add(.doubled, "\(name): seq \(record.seq)")
            }
            if record.id == Self.probeID {
                probeSeq = record.seq
                if isCounterIntact, scene.truth[record.seq] != nil {
                    outcome.findings.add(.doubled, "\(name): number \(record.seq) was assigned again")
                }
            } else if let line = scene.truth[record.seq] {
                if line != record.line { outcome.findings.add(.altered, "\(name): seq \(record.seq)") }
                outcome.found += 1
            } else {
                outcome.findings.add(.invented, "\(name): seq \(record.seq)")
            }
        }
        if probeSeq == nil { outcome.findings.add(.lost, "\(name): the event sent afterwards") }
        for seq in expected(length) where !numbers.contains(Int(seq)) || seq == probeSeq {
            outcome.findings.add(.lost, "\(name): seq \(seq)")
        }
        let receipts = isCounterIntact ? scene.truth.keys.max().map { [$0] } ?? [] : []
        var audit = NumbersAudit(path, events: numbers, receipts: receipts).findings
        audit.prefix(with: name)
        outcome.findings += audit
    }

    private func expected(_ length: Int?) -> [Int64] {
        guard let length else { return expectation.always }
        return expectation.always + expectation.thresholds.filter { $0.value <= length }.keys.sorted()
    }
}
