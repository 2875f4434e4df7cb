import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import JSONLines
internal import Primitives

/// Compares the lines in a collector with the logs that were delivered to it.
struct StoredLinesAudit {
    private(set) var findings = Findings()
    private(set) var lines = 0
    private(set) var explained: Int64 = 0

    /// - Parameters:
    ///   - logs: The completely delivered logs.
    ///   - mayRemain: Whether the collector may have a line that the log has no longer.
    init(
        _ collector: CollectorProcess, logs: [String], mayRemain: (RecordedContainer) -> Bool = { _ in false }
    ) throws {
        let stored = try readAll(collector)
        var sent: [String: [Int64: [UInt8]]] = [:]
        for log in logs {
            var cursor = LogCursor(try EventLogReader(path: log))
            while let record = try cursor.next() {
                guard let container = try? RecordedContainer(line: record.line) else { continue }
                sent[container.installID, default: [:]][record.seq] = record.line
            }
        }
        for (install, numbers) in sent {
            for (seq, line) in numbers {
                guard let held = stored[install]?[seq] else {
                    findings.add(.collectorLost, "\(install) \(seq)")
                    continue
                }
                if held != line { findings.add(.collectorAltered, "\(install) \(seq)") }
            }
        }
        for (install, numbers) in stored {
            for (seq, line) in numbers where sent[install]?[seq] == nil {
                if let container = try? RecordedContainer(line: line), mayRemain(container) { continue }
                findings.add(.invented, "the collector has \(install) \(seq)")
            }
            let page = try collector.get(CollectorPath.install(install))
            let summary = try InstallSummary(JSONParser.parse(page.body))
            for range in summary.missing {
                findings.add(.unexplained, count: range.count, "\(install) \(range), by the collector")
            }
            explained += summary.numbers.filter { $0.fate != .stored }.reduce(0) { $0 + Int64($1.seqs.count) }
            if !summary.forks.isEmpty { findings.add(.collectorAltered, "\(install) was rejected as a fork") }
        }
    }

    /// All lines, by install and number.
    private mutating func readAll(_ collector: CollectorProcess) throws -> [String: [Int64: [UInt8]]] {
        var stored: [String: [Int64: [UInt8]]] = [:]
        var cursor = ""
        while true {
            let page = try collector.get("\(CollectorPath.lines)?limit=5000&after=\(cursor)")
            guard page.status == 200, let next = page[LinesQuery.cursorField] else {
                throw HarnessError("the collector responds with \(page.status) to a reader")
            }
            for line in page.body.split(separator: 0x0A) {
                lines += 1
                guard let container = try? RecordedContainer(line: Array(line)) else {
                    findings.add(.unreadable, "a line of the collector after \(cursor)")
                    continue
                }
                let before = stored[container.installID, default: [:]].updateValue(Array(line), forKey: container.seq)
                if before != nil { findings.add(.doubled, "the collector has \(container.installID) \(container.seq)") }
            }
            cursor = next
            if page[LinesQuery.moreField] != "true" { return stored }
        }
    }
}

extension CollectorProcess {
    /// Checks that all numbers in receipts are still stored.
    func check(_ held: [String: [ClosedRange<Int64>]], _ findings: inout Findings) throws {
        for (install, ranges) in held {
            let page = try get(CollectorPath.install(install))
            guard page.status == 200 else {
                findings.add(.collectorLost, "the whole install \(install): \(page.status)")
                continue
            }
            let summary = try InstallSummary(JSONParser.parse(page.body))
            for range in NumberRanges.difference(ranges, summary.ranges(.stored)) {
                findings.add(.collectorLost, count: range.count, "\(install) \(range), which a receipt contains")
            }
        }
    }
}
