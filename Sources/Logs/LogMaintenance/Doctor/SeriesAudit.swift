internal import EventLog
internal import EventModel
internal import TextRendering

/// Audits the numbers and times of a series of files, for each install. Memory is bounded by ``followedInstalls``.
struct SeriesAudit {
    private let options: DoctorOptions
    private let accounts: [String: AccountedNumbers]
    private var installs: [String: (numbers: NumberAudit, clock: ClockAudit)] = [:]
    /// Events of installs beyond the limit.
    private var unfollowed: Int64 = 0
    private var series: LineFile?
    /// The most installs that are audited, in order of occurrence.
    static let followedInstalls = 10_000
    /// The most installs whose findings are reported, worst first; the others are counted.
    static let reportedInstalls = 20

    init(_ options: DoctorOptions, accounts: [String: AccountedNumbers]) {
        self.options = options
        self.accounts = accounts
    }

    /// Adds the next event.
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

    /// The findings; empty for files without events.
    var findings: [Finding] {
        guard let series else { return [] }
        let location = "\(FolderContent.folder(of: series.path))/\(series.series).jsonl"
        let ordered = installs.sorted { $0.key < $1.key }
        return report(
            .fileNumbers, at: location, audits: ordered.map { ($0.key, [Self.finding($0.value.numbers, location)]) })
            + report(
                .fileClock, at: location,
                audits: ordered.map { ($0.key, $0.value.clock.findings(.fileClock, location)) })
            + (unfollowed > 0 ? [rest(location)] : [])
    }

    /// The report of a check: for a single install, all findings; for several, the findings of installs with problems.
    private func report(_ check: Check, at location: String, audits: [(install: String, findings: [Finding])])
        -> [Finding]
    {
        guard installs.count > 1 else { return audits.flatMap(\.findings) }
        let bad = Finding.Severity.allCases.reversed().filter { $0 > .ok }.flatMap { severity in
            // Findings of equal severity are ordered by install.
            audits.filter { severity == $0.findings.map(\.severity).max() }
        }
        let sound = Int64(audits.count - bad.count)
        var reported: [Finding] = []
        if sound > 0 {
            reported.append(
                Finding(
                    check, .ok, at: location, message: "\(sound.counted("install")) without errors",
                    numbers: ["installs": sound]))
        }
        for (install, findings) in bad.prefix(Self.reportedInstalls) { reported += findings.map { $0.naming(install) } }
        let left = bad.dropFirst(Self.reportedInstalls)
        if let severity = left.flatMap(\.findings).map(\.severity).max() {
            let count = Int64(left.count)
            reported.append(
                Finding(
                    check, severity, at: location, message: "similar findings for \(count.counted("install")) more",
                    advice: "resolve the findings listed, and run this again", numbers: ["installs": count]))
        }
        return reported
    }

    private func rest(_ location: String) -> Finding {
        Finding(
            .fileNumbers, .note, at: location,
            message: "\(unfollowed.counted("event")) of further installs not checked; the limit is "
                + "\(Self.followedInstalls.grouped) installs",
            advice: "examine the files of fewer installs at a time",
            numbers: ["unfollowed": unfollowed])
    }

    private static func finding(_ audit: NumberAudit, _ location: String) -> Finding {
        let numbers = [
            "events": audit.count, "first_seq": audit.first ?? 0, "last_seq": audit.last ?? 0,
            "missing": audit.missing, "repeated": audit.repeated, "late": audit.late,
        ]
        if let first = audit.firstRepeated {
            return Finding(
                .fileNumbers, .error, at: location,
                message: "\(audit.repeated.counted("number")) repeated or out of order, first \(first)",
                advice: "a file exists twice, or two were written concurrently: trackctl stats shows the duplicates",
                numbers: numbers)
        }
        if audit.missing > 0 {
            return Finding(
                .fileNumbers, .warning, at: location,
                message: "\(audit.missing.counted("number")) missing: \(audit.gapsText)",
                advice: "look for a missing file; if the log still has the events, trackctl dump shows them",
                numbers: numbers)
        }
        return Finding(
            .fileNumbers, .ok, at: location,
            message: "\(audit.count.counted("event")), \(audit.first ?? 0) to \(audit.last ?? 0)"
                + (audit.late > 0 ? ", \(audit.late) of them after later numbers" : ""),
            numbers: numbers)
    }
}

extension Finding {
    /// The finding with the install in its message.
    fileprivate func naming(_ install: String) -> Finding {
        Finding(
            check, severity, at: location, message: "install \(install): \(message)", advice: advice, numbers: numbers,
            remedy: remedy)
    }
}

/// Audits numbers, which must increase by one or be accounted for.
struct NumberAudit {
    private let account: AccountedNumbers?
    private(set) var first: Int64?
    private(set) var last: Int64?
    private(set) var count: Int64 = 0
    /// Numbers that are not accounted for.
    private(set) var missing: Int64 = 0
    /// Their ranges, as far as they are remembered.
    private var gaps: [ClosedRange<Int64>] = []
    /// Numbers that were missing, and came later: the events waited for an answer about consent.
    private(set) var late: Int64 = 0
    /// Numbers that were repeated, or out of order without having been missing.
    private(set) var repeated: Int64 = 0
    private(set) var firstRepeated: Int64?
    /// Events with a number that the ledger counts as lost. Valid after ``finish(at:)``.
    private(set) var contradicted: Int64 = 0
    /// Numbers without an event that the ledger accounts for.
    private var explained: Int64 = 0
    private static let shown = 3
    private static let remembered = 10_000

    /// - Parameter account: The numbers lost for a known reason; nil if unknown.
    init(_ account: AccountedNumbers?) { self.account = account }

    /// Adds the next event's number.
    mutating func add(_ seq: Int64) {
        count += 1
        if let last, seq <= last {
            guard !fill(seq) else { return }
            repeated += 1
            firstRepeated = firstRepeated ?? seq
            return
        }
        if let last { miss(after: last, before: seq) }
        first = first ?? seq
        last = seq
    }

    /// Sets the highest number that must be reached.
    mutating func finish(at end: Int64) {
        guard let first, let last else { return }
        if end > last { miss(after: last, before: end + 1) }
        // Numbers that the ledger accounts for beyond the gaps belong to events.
        if let account { contradicted = account.count(in: first...max(last, end)) - explained }
    }

    /// Whether a number was missing so far.
    private mutating func fill(_ seq: Int64) -> Bool {
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].upperBound < seq { low = middle + 1 } else { high = middle }
        }
        guard low < gaps.count, gaps[low].contains(seq) else { return false }
        let gap = gaps[low]
        let rest = [(gap.lowerBound, seq - 1), (seq + 1, gap.upperBound)].filter { $0.0 <= $0.1 }.map { $0.0...$0.1 }
        gaps.replaceSubrange(low...low, with: rest)
        missing -= 1
        late += 1
        return true
    }

    private mutating func miss(after last: Int64, before next: Int64) {
        guard next > last + 1 else { return }
        let gap = last + 1...next - 1
        explained += next - last - 1
        for range in account?.missing(of: gap) ?? [gap] {
            let count = range.upperBound - range.lowerBound + 1
            missing += count
            explained -= count
            if gaps.count < Self.remembered { gaps.append(range) }
        }
    }

    /// The first gaps as text: `5-7, 9`.
    var gapsText: String {
        let first = gaps.prefix(Self.shown)
        let shown = first.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        let isAll = first.reduce(0) { $0 + Int64($1.count) } == missing
        return shown.joined(separator: ", ") + (isAll ? "" : " …")
    }
}

/// Audits times, which must not decrease, or be ahead of this machine's clock.
struct ClockAudit {
    private let limit: Duration
    private let latest: EventTime
    private var last: EventTime?
    /// How often the time went back by more than the limit.
    private(set) var jumps: Int64 = 0
    private(set) var firstJump: Int64?
    /// The largest step back, in microseconds.
    private(set) var largest: Int64 = 0
    /// Events with times in the future.
    private(set) var ahead: Int64 = 0
    private(set) var firstAhead: Int64?

    init(_ options: DoctorOptions) {
        limit = options.clockJump
        latest = options.now.advanced(by: options.clockJump)
    }

    /// Adds the next event's time.
    mutating func add(_ time: EventTime, seq: Int64) {
        if let last, last.duration(since: time) > limit {
            jumps += 1
            firstJump = firstJump ?? seq
            largest = max(largest, last.microseconds &- time.microseconds)
        }
        last = time
        guard time > latest else { return }
        ahead += 1
        firstAhead = firstAhead ?? seq
    }

    /// The findings for a file or folder.
    func findings(_ check: Check, _ location: String) -> [Finding] {
        var findings: [Finding] = []
        if let firstJump {
            findings.append(
                Finding(
                    check, .note, at: location,
                    message:
                        "the clock went back \(jumps) time\(jumps == 1 ? "" : "s"), first at event \(firstJump), at most "
                        + "by \(largest / 1_000_000) s",
                    advice: "sort by seq, not by time: the device's clock was set back between these events",
                    numbers: ["jumps": jumps, "first_seq": firstJump, "largest_us": largest]))
        }
        if let firstAhead {
            findings.append(
                Finding(
                    check, .warning, at: location,
                    message:
                        "\(ahead) event\(ahead == 1 ? " has a time" : "s have times") in the future, first \(firstAhead)",
                    advice:
                        "check this machine's clock; if it is right, the device's clock was ahead, and these events "
                        + "are pruned too late",
                    numbers: ["ahead": ahead, "first_seq": firstAhead]))
        }
        return findings.isEmpty ? [Finding(check, .ok, at: location, message: "no clock jumps")] : findings
    }
}
