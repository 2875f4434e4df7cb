internal import EventLog
internal import Tracking

/// Follows the events of a series of files, each install by itself, up to a number of installs.
struct SeriesAudit {
    /// How many installs are followed at most.
    static let maximumInstalls = 10_000

    private let options: DoctorOptions
    private let accounts: [String: AccountedNumbers]
    private var installs: [String: (numbers: NumberAudit, clock: ClockAudit)] = [:]
    private var series: LineFile?
    /// Events of further installs.
    private var unfollowed: Int64 = 0

    init(_ options: DoctorOptions, accounts: [String: AccountedNumbers]) {
        self.options = options
        self.accounts = accounts
    }

    /// Takes the next event.
    mutating func add(_ container: RecordedContainer, in file: LineFile) {
        series = series ?? file
        let install = container.installID
        if installs[install] == nil {
            guard installs.count < Self.maximumInstalls else {
                unfollowed += 1
                return
            }
            installs[install] = (NumberAudit(accounts[install]), ClockAudit(options))
        }
        installs[install]?.numbers.add(container.seq)
        installs[install]?.clock.add(container.time, seq: container.seq)
    }

    /// What was found; nothing for files without events.
    var findings: [Finding] {
        guard let series else { return [] }
        let place = "\(FolderContent.folder(of: series.path))/\(series.series).jsonl"
        let findings = installs.sorted { $0.key < $1.key }.flatMap { _, audit in
            [numbers(audit.numbers, place)] + audit.clock.findings(.fileClock, place)
        }
        guard unfollowed > 0 else { return findings }
        return findings + [
            Finding(
                .fileNumbers, .note, place,
                "\(unfollowed.counted("event")) of further installs, past the first \(Self.maximumInstalls), not followed",
                advice: "name files of fewer installs at a time to see their numbers and times",
                numbers: ["unfollowed": unfollowed])
        ]
    }

    private func numbers(_ audit: NumberAudit, _ place: String) -> Finding {
        let numbers = [
            "events": audit.count, "first_seq": audit.first ?? 0, "last_seq": audit.last ?? 0,
            "missing": audit.missing, "repeated": audit.repeated,
        ]
        if let first = audit.firstRepeated {
            return Finding(
                .fileNumbers, .error, place,
                "\(audit.repeated.counted("number")) repeated or out of order, first \(first)",
                advice: "a file stands there twice, or two were written at once: trackctl stats shows the doubles",
                numbers: numbers)
        }
        if audit.missing > 0 {
            return Finding(
                .fileNumbers, .warning, place, "\(audit.missing.counted("number")) missing: \(audit.gapsText)",
                advice: "look for a missing file; if the log still has the events, trackctl dump shows them",
                numbers: numbers)
        }
        return Finding(
            .fileNumbers, .ok, place, "\(audit.count.counted("event")), \(audit.first ?? 0) to \(audit.last ?? 0)",
            numbers: numbers)
    }
}
