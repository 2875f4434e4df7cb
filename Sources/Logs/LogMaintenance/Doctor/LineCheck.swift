internal import EventLog
internal import EventModel
internal import TextRendering

/// Reads all lines of a database, or a sample, and compares them with their rows.
struct LineCheck {
    private let path: String
    private let database: DatabaseExamination
    private let options: DoctorOptions
    private let installs: [LogGeneration]
    /// The length of a run. A sample consists of runs of rows, spread evenly.
    private static let runLength: Int64 = 100

    init(_ path: String, database: DatabaseExamination, options: DoctorOptions, installs: [LogGeneration]) {
        self.path = path
        self.database = database
        self.options = options
        self.installs = installs
    }

    func findings() throws -> [Finding] {
        var count: Int64 = 0
        var faulty: Int64 = 0
        var first: (seq: Int64, issue: String)?
        func check(_ seq: Int64, _ record: EventRecord?) {
            count += 1
            guard let issue = issue(seq, record) else { return }
            faulty += 1
            first = first ?? (seq, issue)
        }
        let totals = try database.totals()
        let isWhole = options.isThorough || totals.count <= DoctorOptions.sampledLines
        if isWhole {
            try database.forEachRecord(after: 0) { seq, record in
                check(seq, record)
                return true
            }
        } else {
            try sample(totals, check)
        }
        let how =
            isWhole
            ? "all of \(count.counted("line"))"
            : "sample of \(count.grouped) of \(totals.count.counted("line")) (--thorough reads all)"
        let numbers = ["read": count, "events": totals.count, "faulty": faulty]
        guard let first else { return [Finding(.databaseLines, .ok, at: path, message: how, numbers: numbers)] }
        return [
            Finding(
                .databaseLines, .error, at: path,
                message: "\(how): \(faulty.grouped) malformed, first event \(first.seq): \(first.issue)",
                advice: "data has changed on the disk: trackctl dump shows the line; a delivered copy may be intact",
                numbers: numbers)
        ]
    }

    private func sample(_ totals: EventLogStatistics, _ check: (Int64, EventRecord?) -> Void) throws {
        let runs = DoctorOptions.sampledLines / Self.runLength
        let end = min(totals.lastSeq, EventRecord.highestSeq)
        let start = min(max(totals.firstSeq ?? 1, 1), end)
        var last: Int64 = 0
        for run in 0..<runs {
            var left = Self.runLength
            let seq = start + (end - start) / runs * run - 1
            try database.forEachRecord(after: max(seq, last), limit: Int(Self.runLength)) { seq, record in
                check(seq, record)
                last = seq
                left -= 1
                return left > 0
            }
        }
    }

    /// The error of a row. Names no values.
    private func issue(_ seq: Int64, _ record: EventRecord?) -> String? {
        guard let record else { return "a column has the wrong type" }
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
