internal import EventModel
internal import JSONLines
internal import LogMaintenance
internal import Primitives
internal import TextRendering

/// The result of `trackctl reconcile` for a log.
struct ReconciledLog {
    /// The path as given.
    let path: String
    /// The consumer that delivers to the collector.
    let consumer: String
    /// The collector's name in messages.
    let collector: String
    /// The installs of the log, oldest first.
    let installs: [Reconciliation]
    /// The comparisons with later stages.
    var stages: [StageReconciliation] = []

    /// Whether no event is lost and no line differs, at any stage.
    var isSound: Bool { installs.allSatisfy(\.isSound) && stages.allSatisfy(\.isSound) }
}

extension ReconciledLog {
    /// The result as a table with notes.
    var lines: [String] {
        let columns = ["install", "numbered", "stored", "explained", "held", "waiting", "forked", "unexplained"]
        var table = TextTable(columns, rightAligned: Set(1..<columns.count))
        for install in installs {
            let counts = [
                install.highest, Self.count(install.stored), Self.count(install.explained.flatMap(\.seqs)),
                Self.count(install.held), Self.count(install.waiting), Self.count(install.forked),
                Self.count(install.unexplained),
            ]
            table.add([install.installID.printable] + counts.map(\.grouped))
        }
        return ["\(path), delivered by \(consumer) to \(collector)".printable] + table.lines
            + installs.flatMap(Self.notes) + stageLines + [summary]
    }

    /// A table of the later stages, with notes; empty without stages.
    private var stageLines: [String] {
        guard !stages.isEmpty else { return [] }
        let columns = [
            "stage", "install", "lines", "missing", "doubled", "different", "erased upstream", "of forks", "equal runs",
        ]
        var table = TextTable(columns, rightAligned: Set(2..<columns.count))
        for stage in stages {
            table.add(
                [stage.stage.rawValue, stage.installID.printable]
                    + [
                        stage.count, Self.count(stage.missing), Self.count(stage.doubled), Self.count(stage.different),
                        Self.count(stage.unerased), stage.forks, Int64(stage.equalRuns),
                    ].map(\.grouped))
        }
        return [""] + table.lines + stages.flatMap(Self.notes) + eraseCommands.map { "to erase them: \($0)".printable }
    }

    private static func notes(_ stage: StageReconciliation) -> [String] {
        var notes: [String] = []
        if !stage.missing.isEmpty {
            notes.append("stored at a collector, missing in the \(stage.stage): \(text(stage.missing))")
        }
        if !stage.doubled.isEmpty { notes.append("more than once in the \(stage.stage): \(text(stage.doubled))") }
        if !stage.different.isEmpty {
            notes.append("different bytes in the \(stage.stage): \(text(stage.different))")
        }
        if !stage.unerased.isEmpty {
            notes.append("erased upstream, still in the \(stage.stage): \(text(stage.unerased))")
        }
        if !stage.beyond.isEmpty {
            notes.append(
                """
                in the \(stage.stage), but at no collector: \(text(stage.beyond)); pass all collectors, or one has lost \
                its data
                """)
        }
        if stage.forks > 0 {
            notes.append(
                """
                in the \(stage.stage), \(stage.forks.counted("line")) of another device with the same install, under the \
                id of a fork: a clone
                """)
        }
        return notes.map { "\(stage.installID): \($0) (\(stage.name))".printable }
    }

    private static func notes(_ install: Reconciliation) -> [String] {
        var notes: [String] = []
        if !install.isKnown { notes.append("unknown to the collector") }
        if !install.deniedLater.isEmpty { notes.append("stored, denied later: \(text(install.deniedLater))") }
        if !install.explained.isEmpty {
            let reasons = install.explained.map { "\(count($0.seqs).grouped) \($0.reason)" }
            notes.append("explained: \(reasons.joined(separator: ", "))")
        }
        let runs = install.equalRuns + install.differentRuns.count + install.uncomparedRuns
        if runs > 0 {
            notes.append(
                """
                hashes: \(install.equalRuns.grouped) of \(runs.counted("run")) equal, \
                \(install.uncomparedRuns.grouped) not compared
                """)
        }
        if !install.beyond.isEmpty {
            notes.append(
                """
                at the collector, but not from this log: \(text(install.beyond)); the log is a copy or was restored, \
                and starts a new install with its next delivery
                """)
        }
        if !install.unexplained.isEmpty { notes.append("unexplained: \(text(install.unexplained))") }
        if !install.differentRuns.isEmpty {
            notes.append("different bytes at the collector: \(text(install.differentRuns))")
        }
        if !install.repeated.isEmpty { notes.append("stored twice: \(text(install.repeated))") }
        return notes.map { "\(install.installID): \($0)".printable }
    }

    private var summary: String {
        let isComplete = installs.allSatisfy(\.isSound) && stages.allSatisfy(\.isComplete)
        guard isComplete else {
            return
                "events are lost or differ: see the ranges; compare the output of 'trackctl dump' for log and collector"
        }
        return isSound
            ? "nothing is lost: each number is stored, explained, held, or still on the device"
            : "nothing is lost, but erased events remain: run loader erase"
    }

    /// The commands that remove what collectors have erased from later stages; empty if there is nothing.
    private var eraseCommands: [String] { EraseCommands(stages).lines }

    private static func count(_ ranges: [ClosedRange<Int64>]) -> Int64 {
        NumberRanges.count(ranges).value
    }

    /// `7–9, 12`: all ranges in full.
    private static func text(_ ranges: [ClosedRange<Int64>]) -> String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }.joined(separator: ", ")
    }
}

extension ReconciledLog {
    /// The result as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `log`, `consumer`, `collector` | as given |
    /// | `sound` | whether no event is lost and no line differs |
    /// | `installs` | the installs of the log, oldest first |
    /// | `stages` | the comparisons with later stages; absent without later stages |
    /// | `erase_commands` | the commands that remove the events that are erased upstream; absent without such events |
    ///
    /// | member of an install | meaning |
    /// |---|---|
    /// | `install_id`, `known` | the install, and whether the collector knows it |
    /// | `numbered` | the highest number used |
    /// | `stored`, `held`, `waiting`, `forked` | how many numbers |
    /// | `denied_later` | how many of `stored`: their user has opted out since |
    /// | `explained` | how many numbers, by reason |
    /// | `unexplained`, `beyond`, `repeated` | ranges `[first, last]`: lost; not from this log; stored twice |
    /// | `hashes` | `equal` and `not_compared`: number of runs; `different`: their ranges |
    ///
    /// | member of a stage in `stages`, which is absent without later stages | meaning |
    /// |---|---|
    /// | `stage`, `name`, `install_id` | `stream` or `warehouse`, its address, and the install |
    /// | `lines`, `fork_lines` | how many lines it has, and how many more under the id of a fork |
    /// | `missing`, `doubled`, `different`, `beyond`, `unerased` | ranges `[first, last]`: only at a collector; more than once; with other bytes; at no collector; erased at a collector |
    /// | `equal_runs` | how many runs of the collectors have equal hashes |
    func jsonLine() throws -> String {
        var json = JSONWriter()
        try value.write(to: &json)
        return json.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private var value: JSONValue {
        var members: [String: JSONValue] = [
            "log": .string(path), "consumer": .string(consumer), "collector": .string(collector),
            "sound": .bool(isSound), "installs": .array(installs.map(Self.value)),
        ]
        if !stages.isEmpty { members["stages"] = .array(stages.map(Self.value)) }
        let commands = eraseCommands
        if !commands.isEmpty { members["erase_commands"] = .array(commands.map(JSONValue.string)) }
        return .object(members)
    }

    private static func value(_ stage: StageReconciliation) -> JSONValue {
        [
            "stage": .string(stage.stage.rawValue), "name": .string(stage.name),
            EnvelopeMember.installID.rawValue: .string(stage.installID), "lines": .integer(stage.count),
            "fork_lines": .integer(stage.forks), "missing": value(stage.missing), "doubled": value(stage.doubled),
            "different": value(stage.different), "beyond": value(stage.beyond),
            "unerased": value(stage.unerased), "equal_runs": .integer(Int64(stage.equalRuns)),
        ]
    }

    private static func value(_ install: Reconciliation) -> JSONValue {
        [
            EnvelopeMember.installID.rawValue: .string(install.installID), "known": .bool(install.isKnown),
            "numbered": .integer(install.highest), "stored": .integer(count(install.stored)),
            "explained": .object(
                Dictionary(
                    install.explained.map { ($0.reason, .integer(count($0.seqs))) }, uniquingKeysWith: { $1 })),
            "held": .integer(count(install.held)), "waiting": .integer(count(install.waiting)),
            "forked": .integer(count(install.forked)), "denied_later": .integer(count(install.deniedLater)),
            "unexplained": value(install.unexplained),
            "beyond": value(install.beyond), "repeated": value(install.repeated),
            "hashes": [
                "equal": .integer(Int64(install.equalRuns)), "not_compared": .integer(Int64(install.uncomparedRuns)),
                "different": value(install.differentRuns),
            ],
        ]
    }

    private static func value(_ ranges: [ClosedRange<Int64>]) -> JSONValue {
        .array(ranges.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) })
    }
}
