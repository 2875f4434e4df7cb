internal import EventLog
internal import EventModel
internal import TextRendering
internal import Tracking

/// Follows the events of a series of files, each install by itself. Takes memory for so many installs as
/// ``followedInstalls`` says, and has little to say of those that are well.
struct SeriesAudit {
    private let options: DoctorOptions
    private let accounts: [String: AccountedNumbers]
    private var installs: [String: (numbers: NumberAudit, clock: ClockAudit)] = [:]
    /// Events of installs that are not followed.
    private var unfollowed: Int64 = 0
    private var series: LineFile?
    /// How many installs are followed: the first that come.
    static let followedInstalls = 10_000
    /// Of how many installs the findings are told, the worst first; of the others, how many there are.
    static let toldInstalls = 20

    init(_ options: DoctorOptions, accounts: [String: AccountedNumbers]) {
        self.options = options
        self.accounts = accounts
    }

    /// Takes the next event.
    mutating func add(_ container: RecordedContainer, in file: LineFile) {
        series = series ?? file
        let install = container.installID
        if installs[install] == nil {
            guard installs.count < Self.followedInstalls else {
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
        let ordered = installs.sorted { $0.key < $1.key }
        return told(.fileNumbers, place, ordered.map { ($0.key, [Self.finding($0.value.numbers, place)]) })
            + told(.fileClock, place, ordered.map { ($0.key, $0.value.clock.findings(.fileClock, place)) })
            + (unfollowed > 0 ? [rest(place)] : [])
    }

    /// What to say of a check's findings: of one install all, of many what is bad.
    private func told(_ check: Check, _ place: String, _ audits: [(install: String, findings: [Finding])]) -> [Finding]
    {
        guard installs.count > 1 else { return audits.flatMap(\.findings) }
        let bad = Finding.Severity.allCases.reversed().filter { $0 > .ok }.flatMap { severity in
            // Equally bad ones by their names.
            audits.filter { severity == $0.findings.map(\.severity).max() }
        }
        let sound = Int64(audits.count - bad.count)
        var told: [Finding] = []
        if sound > 0 {
            told.append(
                Finding(
                    check, .ok, place, "\(sound.counted("install")) without a fault", numbers: ["installs": sound]))
        }
        for (install, findings) in bad.prefix(Self.toldInstalls) { told += findings.map { $0.said(of: install) } }
        let left = bad.dropFirst(Self.toldInstalls)
        if let severity = left.flatMap(\.findings).map(\.severity).max() {
            let count = Int64(left.count)
            told.append(
                Finding(
                    check, severity, place, "the like of \(count.counted("install")) more",
                    advice: "see to those that are told, and run this again", numbers: ["installs": count]))
        }
        return told
    }

    private func rest(_ place: String) -> Finding {
        Finding(
            .fileNumbers, .note, place,
            "\(unfollowed.counted("event")) of further installs not followed, only those of the first "
                + "\(Self.followedInstalls.grouped)",
            advice: "examine the files of fewer installs at a time",
            numbers: ["unfollowed": unfollowed])
    }

    private static func finding(_ audit: NumberAudit, _ place: String) -> Finding {
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

extension Finding {
    /// The same, with the install that it is about.
    fileprivate func said(of install: String) -> Finding {
        Finding(
            check, severity, place, "install \(install): \(message)", advice: advice, numbers: numbers, remedy: remedy)
    }
}
