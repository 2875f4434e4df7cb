internal import TextRendering

/// Examines a log's journals.
struct JournalCheck {
    private let database: String

    init(_ database: String) { self.database = database }

    /// The findings only.
    func findings(after seq: Int64, installID: String?) throws -> [Finding] {
        try examine(after: seq, installID: installID).findings
    }

    /// The findings, and the rings of running writers.
    func examine(after seq: Int64, installID: String?) throws -> (findings: [Finding], living: Set<String>) {
        guard let journals = try JournalExamination(database: database, after: seq) else {
            return ([Finding(.journal, .ok, at: database, message: "no journals: the log was closed")], [])
        }
        var findings = [writers(journals)]
        if let foreign = foreign(journals, installID) { findings.append(foreign) }
        findings += files(journals)
        return (findings, Set(journals.rings.filter(\.isAlive).map(\.name)))
    }

    private func writers(_ journals: JournalExamination) -> Finding {
        let living = journals.rings.filter(\.isAlive)
        let ended = journals.rings.filter { !$0.isAlive }
        let waiting = ended.reduce(0) { $0 + $1.waiting }
        let numbers = [
            "living": Int64(living.count), "ended": Int64(ended.count), "waiting": Int64(waiting),
            "living_waiting": Int64(living.reduce(0) { $0 + $1.waiting }),
        ]
        let writers = "\(living.count) running and \(ended.count.counted("ended writer"))"
        guard !ended.isEmpty || living.isEmpty else {
            return Finding(.journal, .ok, at: journals.path, message: writers, numbers: numbers)
        }
        // The program ended without closing its log, and no events wait.
        guard waiting > 0 else {
            return Finding(
                .journal, .ok, at: journals.path, message: "\(writers), with all events in the database",
                numbers: numbers,
                remedy: .openLog(database: database))
        }
        return Finding(
            .journal, .note, at: journals.path,
            message:
                "\(writers); \(waiting.counted("event")) of ended writers only in the journal; trackctl reads them, too",
            advice: "no action needed: the next opening of the log moves them into the database",
            numbers: numbers, remedy: .openLog(database: database))
    }

    private func foreign(_ journals: JournalExamination, _ installID: String?) -> Finding? {
        guard let installID, let other = journals.installID, other != installID else { return nil }
        return Finding(
            .journal, .error, at: journals.path, message: "the journals and the database belong to different logs",
            advice: "one of them was replaced; opening the log moves the journals aside, so copy them first if you "
                + "still have their database")
    }

    private func files(_ journals: JournalExamination) -> [Finding] {
        var findings: [Finding] = []
        func report(_ name: String, _ issue: String) {
            findings.append(
                Finding(
                    .journalFiles, .error, at: "\(journals.path)/\(name)", message: issue,
                    advice: """
                        run trackctl doctor --fix, or open the app: intact records are kept, and the file is moved aside
                        """,
                    remedy: .openLog(database: database)))
        }
        if let issue = journals.controlIssue { report("control", issue) }
        for ring in journals.rings {
            if let issue = ring.issue { report(ring.name, issue) }
            if let version = ring.newerVersion {
                findings.append(
                    Finding(
                        .journalFiles, .error, at: "\(journals.path)/\(ring.name)",
                        message: "written by a newer version (format \(version))",
                        advice: "use the trackctl of the app's version"))
            }
        }
        let count = journals.rings.count
        return findings.isEmpty
            ? [Finding(.journalFiles, .ok, at: journals.path, message: "\(count.counted("ring")), intact")] : findings
    }
}
