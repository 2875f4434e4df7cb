internal import EventLog
internal import EventModel
internal import TextRendering

/// Reads lines of a database, all or a sample, and compares them with their rows.
struct LineCheck {
    private let path: String
    private let database: DatabaseExamination
    private let options: DoctorOptions
    private let installs: [LogGeneration]
    /// A sample is taken in runs of so many rows, spread evenly.
    private static let runLength: Int64 = 100

    init(_ path: String, _ database: DatabaseExamination, _ options: DoctorOptions, installs: [LogGeneration]) {
        self.path = path
        self.database = database
        self.options = options
        self.installs = installs
    }

    func findings() throws -> [Finding] {
        var (count, faulty): (Int64, Int64) = (0, 0)
        var first: (seq: Int64, issue: String)?
        func look(_ seq: Int64, _ record: EventRecord?) {
            count += 1
            guard let issue = issue(seq, record) else { return }
            faulty += 1
            first = first ?? (seq, issue)
        }
        let totals = try database.totals()
        let isWhole = options.isThorough || totals.count <= DoctorOptions.sampledLines
        if isWhole {
            try database.forEachRecord(after: 0) { seq, record in
                look(seq, record)
                return true
            }
        } else {
            try sample(totals, look)
        }
        let how =
            isWhole
            ? "all of \(count.counted("line"))"
            : "\(count.grouped) of \(totals.count.counted("line")), as a sample (--thorough reads all)"
        let numbers = ["read": count, "events": totals.count, "faulty": faulty]
        guard let first else { return [Finding(.databaseLines, .ok, path, how, numbers: numbers)] }
        return [
            Finding(
                .databaseLines, .error, path,
                "\(how): \(faulty.grouped) \(faulty == 1 ? "is" : "are") at fault, first event \(first.seq): \(first.issue)",
                advice: "a byte has changed on the disk: trackctl dump shows the line; a delivered copy may be whole",
                numbers: numbers)
        ]
    }

    private func sample(_ totals: EventLogStatistics, _ look: (Int64, EventRecord?) -> Void) throws {
        let runs = DoctorOptions.sampledLines / Self.runLength
        let end = min(totals.lastSeq, EventRecord.highestSeq)
        let start = min(max(totals.firstSeq ?? 1, 1), end)
        var last: Int64 = 0
        for run in 0..<runs {
            var left = Self.runLength
            let seq = start + (end - start) / runs * run - 1
            try database.forEachRecord(after: max(seq, last), limit: Int(Self.runLength)) { seq, record in
                look(seq, record)
                last = seq
                left -= 1
                return left > 0
            }
        }
    }

    /// What is wrong with a row; names no value of it.
    private func issue(_ seq: Int64, _ record: EventRecord?) -> String? {
        guard let record else { return "a column holds another type" }
        do {
            let line = try RecordedContainer(line: record.line)
            let install = installs.last { $0.base < seq }
            let differing = [
                (EnvelopeMember.seq.rawValue, line.seq == seq - (install?.base ?? 0)),
                (EnvelopeMember.id.rawValue, line.id == record.id),
                (EnvelopeMember.time.rawValue, line.time == record.time),
                (EnvelopeMember.Event.name.rawValue, line.name == record.name),
                (EnvelopeMember.installID.rawValue, line.installID == install?.installID),
            ].filter { !$0.1 }.map(\.0)
            return differing.isEmpty ? nil : "the line and its row differ in \(differing.joined(separator: ", "))"
        } catch {
            return "\(error)"
        }
    }
}
