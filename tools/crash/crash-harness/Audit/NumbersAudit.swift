import EventLog
import Foundation
import GRDB

/// Checks that every number up to the highest is in exactly one of `events` and `ledger`.
struct NumbersAudit {
    private(set) var findings = Findings()
    /// The number of numbers that the ledger explains.
    private(set) var explained = 0
    /// The highest known number.
    private(set) var highest: Int64 = 0
    /// The number of events in the ledger, by reason.
    private(set) var reasons: [String: Int] = [:]

    /// - Parameters:
    ///   - path: A closed log, with all events in the database.
    ///   - events: The numbers of its events.
    ///   - receipts: The numbers that senders received.
    init(_ path: String, events: IndexSet, receipts: [Int64]) {
        do {
            let ledger = try ledgerNumbers(path)
            let last = try EventLogReader(path: path).statistics().lastSeq
            highest = max(last, Int64(events.max() ?? 0), Int64(ledger.max() ?? 0), receipts.max() ?? 0)
            compare(events, ledger)
        } catch {
            findings.add(.failed, "cannot read the ledger: \(error)")
        }
        checkReceipts(receipts)
    }

    private mutating func ledgerNumbers(_ path: String) throws -> IndexSet {
        var configuration = Configuration()
        configuration.readonly = true
        let rows = try DatabaseQueue(path: path, configuration: configuration).read { db in
            // A row with a consumer is about logged events that a sink rejected.
            try Row.fetchAll(
                db, sql: "SELECT reason, ifnull(first_seq, 0), last_seq, count FROM ledger WHERE consumer = ''")
        }
        var numbers = IndexSet()
        for row in rows {
            let (reason, count): (String, Int) = (row[0], row[3])
            reasons[reason, default: 0] += count
            guard let first: Int = row[1], first > 0, let last: Int = row[2], last >= first else { continue }
            if last - first + 1 != count {
                findings.add(.explainedTwice, "\(reason): \(count) events in \(first)…\(last)")
            }
            let twice = numbers.intersection(IndexSet(first...last))
            findings.add(.explainedTwice, count: twice.count, "\(reason): \(first)…\(last) overlaps another row")
            numbers.insert(integersIn: first...last)
        }
        explained = numbers.count
        return numbers
    }

    private mutating func compare(_ events: IndexSet, _ ledger: IndexSet) {
        guard highest > 0 else { return }
        let unexplained = IndexSet(1...Int(highest)).subtracting(events).subtracting(ledger)
        for range in unexplained.rangeView {
            findings.add(.unexplained, count: range.count, "\(range.lowerBound)…\(range.upperBound - 1)")
        }
        for range in events.intersection(ledger).rangeView {
            findings.add(.explainedTwice, count: range.count, "\(range.lowerBound)…\(range.upperBound - 1)")
        }
    }

    private mutating func checkReceipts(_ receipts: [Int64]) {
        let sorted = receipts.sorted()
        for (one, next) in zip(sorted, sorted.dropFirst()) where one == next {
            findings.add(.receiptTwice, "seq \(one)")
        }
    }
}
