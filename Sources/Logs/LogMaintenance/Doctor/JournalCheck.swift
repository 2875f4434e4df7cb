internal import TextRendering

/// Looks into a log's journals.
struct JournalCheck {
    private let database: String

    init(_ database: String) { self.database = database }

    /// The findings alone.
    func findings(after seq: Int64, installID: String?) throws -> [Finding] {
        try examine(after: seq, installID: installID).findings
    }

    /// The findings, and the rings of living writers.
    func examine(after seq: Int64, installID: String?) throws -> (findings: [Finding], living: Set<String>) {
        guard let journals = try JournalExamination(database: database, after: seq) else {
            return ([Finding(.journal, .ok, database, "there are none: the log was closed")], [])
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
        let text =
            "\(living.count) living and \(ended.count.counted("ended writer")), "
            + "\(waiting.counted("event")) of ended ones not in the database yet"
        guard !ended.isEmpty || living.isEmpty else {
            return Finding(.journal, .ok, journals.path, text, numbers: numbers)
        }
        return Finding(
            .journal, waiting > 0 ? .warning : .note, journals.path, text,
            advice: "run trackctl doctor --fix, or open the app: the next opening moves them",
            numbers: numbers, remedy: .openLog(database: database))
    }

    private func foreign(_ journals: JournalExamination, _ installID: String?) -> Finding? {
        guard let installID, let other = journals.installID, other != installID else { return nil }
        return Finding(
            .journal, .error, journals.path, "the journals are another log's than the database",
            advice: "one of the two was exchanged: opening the log puts the journals aside, so copy them first if "
                + "their database still is somewhere")
    }

    private func files(_ journals: JournalExamination) -> [Finding] {
        var findings: [Finding] = []
        func report(_ name: String, _ issue: String) {
            findings.append(
                Finding(
                    .journalFiles, .error, "\(journals.path)/\(name)", issue,
                    advice: "run trackctl doctor --fix, or open the app: whole records are stored, the file put aside",
                    remedy: .openLog(database: database)))
        }
        if let issue = journals.controlIssue { report("control", issue) }
        for ring in journals.rings {
            if let issue = ring.issue { report(ring.name, issue) }
            if let version = ring.newerVersion {
                findings.append(
                    Finding(
                        .journalFiles, .error, "\(journals.path)/\(ring.name)",
                        "a newer version wrote it (format \(version))",
                        advice: "use the trackctl of the version that the app is built with"))
            }
        }
        let count = journals.rings.count
        return findings.isEmpty
            ? [Finding(.journalFiles, .ok, journals.path, "\(count.counted("ring")), whole")] : findings
    }
}
