internal import EventLog
internal import EventModel
internal import TextRendering

/// Looks through all rows: totals, numbers and times.
struct RowCheck {
    private let path: String
    private let database: DatabaseExamination
    private let options: DoctorOptions

    init(_ path: String, _ database: DatabaseExamination, _ options: DoctorOptions) {
        self.path = path
        self.database = database
        self.options = options
    }

    func findings() throws -> [Finding] {
        // A writer may go on meanwhile: what it counts must be the same before and after.
        for _ in 0..<3 {
            let before = try database.totals()
            let last = min(before.lastSeq, EventRecord.highestSeq)
            var (numbers, clock) = (NumberAudit(try database.lostNumbers()), ClockAudit(options))
            var (bytes, outside) = (Int64(0), Int64(0))
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
                    totals(before, numbers.count + outside, bytes, isStill: isStill),
                    // While the log is written, what is above the last number was sent meanwhile.
                    self.numbers(numbers, before.lastSeq, outside: isStill ? outside : 0),
                ] + clock.findings(.clock, path)
            }
        }
        let busy = "events are removed while they are counted"
        return [
            Finding(.databaseTotals, .note, path, busy, advice: "run this again when the app is closed"),
            Finding(.numbers, .note, path, busy, advice: "run this again when the app is closed"),
        ]
    }

    private func totals(_ said: EventLogStatistics, _ count: Int64, _ bytes: Int64, isStill: Bool) -> Finding {
        let numbers = [
            "events": count, "bytes": bytes, "counted_events": said.count, "counted_bytes": said.bytes,
        ]
        guard isStill, said.count != count || said.bytes != bytes else {
            return Finding(
                .databaseTotals, .ok, path, "\(count.counted("event")), \(bytes.counted("byte")) of lines",
                numbers: numbers)
        }
        return Finding(
            .databaseTotals, .error, path,
            "the log counts \(said.count.counted("event")) and \(said.bytes.counted("byte")), but holds \(count.grouped) "
                + "and \(bytes.grouped)",
            advice: "limits on count and size go by these totals: trackctl replay it into a new log and use that",
            numbers: numbers)
    }

    private func numbers(_ audit: NumberAudit, _ last: Int64, outside: Int64) -> Finding {
        let numbers = [
            "last_seq": last, "missing": audit.missing, "contradicted": audit.contradicted,
            "outside": outside,
        ]
        if audit.missing > 0 {
            return Finding(
                .numbers, .error, path,
                "\(audit.missing.counted("number")) neither an event's nor in the ledger: \(audit.gapsText)",
                advice: "somebody has removed these events past the log: look for them in its files and backups",
                numbers: numbers)
        }
        if audit.contradicted + outside > 0 {
            return Finding(
                .numbers, .error, path,
                "\(audit.contradicted) events stand under numbers that the ledger counts as lost, \(outside) under "
                    + "numbers that the log never gave out",
                advice: "an older copy of the database was put back: compare both, and keep one", numbers: numbers)
        }
        return Finding(.numbers, .ok, path, "each number up to \(last) is accounted for", numbers: numbers)
    }
}
