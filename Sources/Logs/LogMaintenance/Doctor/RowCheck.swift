internal import EventLog
internal import EventModel
internal import TextRendering

/// Checks the totals, numbers and times of all rows.
struct RowCheck {
    private let path: String
    private let database: DatabaseExamination
    private let options: DoctorOptions

    init(_ path: String, database: DatabaseExamination, options: DoctorOptions) {
        self.path = path
        self.database = database
        self.options = options
    }

    func findings() throws -> [Finding] {
        // A writer may be running: the totals must be the same before and after.
        for _ in 0..<3 {
            let before = try database.totals()
            let last = min(before.lastSeq, EventRecord.highestSeq)
            var numbers = NumberAudit(try database.lostNumbers())
            var clock = ClockAudit(options)
            var bytes = Int64(0)
            var outside = Int64(0)
            try database.forEachRow { seq, time, length in
                bytes += length
                guard seq > 0, seq <= last else {
                    outside += 1
                    return
                }
                numbers.add(seq)
                clock.add(time, seq: seq)
            }
            numbers.finish(at: last)
            let isStill = try database.totals() == before
            if isStill || numbers.missing == 0 {
                return [
                    totals(before, count: numbers.count + outside, bytes: bytes, isStill: isStill),
                    // While the log is written, numbers above the last one are new events.
                    self.numbers(numbers, before.lastSeq, outside: isStill ? outside : 0),
                ] + clock.findings(.clock, path)
            }
        }
        let busy = "events are being removed while they are counted"
        return [
            Finding(.databaseTotals, .note, at: path, message: busy, advice: "run this again after closing the app"),
            Finding(.numbers, .note, at: path, message: busy, advice: "run this again after closing the app"),
        ]
    }

    private func totals(_ stored: EventLogStatistics, count: Int64, bytes: Int64, isStill: Bool) -> Finding {
        let numbers = [
            "events": count, "bytes": bytes, "counted_events": stored.count, "counted_bytes": stored.bytes,
        ]
        guard isStill, stored.count != count || stored.bytes != bytes else {
            return Finding(
                .databaseTotals, .ok, at: path, message: "\(count.counted("event")), \(bytes.counted("byte")) of lines",
                numbers: numbers)
        }
        return Finding(
            .databaseTotals, .error, at: path,
            message: "the log counts \(stored.count.counted("event")) and \(stored.bytes.counted("byte")), but holds "
                + "\(count.grouped) and \(bytes.grouped)",
            advice: "limits on count and size use these totals: copy the log with trackctl replay, and use the copy",
            numbers: numbers)
    }

    private func numbers(_ audit: NumberAudit, _ last: Int64, outside: Int64) -> Finding {
        let numbers = [
            "last_seq": last, "missing": audit.missing, "contradicted": audit.contradicted,
            "outside": outside,
        ]
        if audit.missing > 0 {
            return Finding(
                .numbers, .error, at: path,
                message: "\(audit.missing.counted("number")) neither in an event nor in the ledger: \(audit.gapsText)",
                advice: "the events were removed without the SDK: look for them in the log's files and backups",
                numbers: numbers)
        }
        if audit.contradicted + outside > 0 {
            return Finding(
                .numbers, .error, at: path,
                message: "\(audit.contradicted) events have numbers that the ledger counts as lost, \(outside) have "
                    + "numbers that the log never assigned",
                advice: "an older copy of the database was restored: compare both, and keep one", numbers: numbers)
        }
        return Finding(.numbers, .ok, at: path, message: "each number up to \(last) is accounted for", numbers: numbers)
    }
}
