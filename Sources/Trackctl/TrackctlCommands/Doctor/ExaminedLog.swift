internal import CommandSupport
internal import JSONLines
internal import LogMaintenance
internal import TextRendering

/// The findings of `trackctl doctor` for one input.
struct ExaminedLog {
    /// The path as given.
    let path: String
    /// The findings, after any repair.
    let findings: [Finding]
    /// The repair steps, done or planned.
    let steps: [RepairStep]
    /// Why the examination or repair stopped; nil if it completed.
    let failure: CommandFailure?

    /// The worst severity.
    var severity: Finding.Severity { failure == nil ? findings.map(\.severity).max() ?? .ok : .error }
}

extension ExaminedLog {
    /// The findings as one object. **Frozen**: members and checks are added, never renamed or removed.
    ///
    /// | member | meaning |
    /// |---|---|
    /// | `log` | the path as given |
    /// | `severity` | the worst of the findings: `ok`, `note`, `warning` or `error`; `error` if `failure` is set |
    /// | `failure` | why the examination or repair stopped; null if it completed |
    /// | `findings` | in check order: `check`, `severity`, `place`, `message`, `advice` (or null), `numbers` |
    /// | `steps` | what `--fix` did, or with `--dry-run` would do: `place`, `message` |
    ///
    /// | check | numbers |
    /// |---|---|
    /// | `database-header` | `version`, `free_pages` |
    /// | `database-lines` | `read`, `events`, `faulty` |
    /// | `database-totals` | `events`, `bytes`, `counted_events`, `counted_bytes` |
    /// | `numbers` | `last_seq`, `missing`, `contradicted`, `outside` |
    /// | `clock`, `file-clock` | `jumps`, `first_seq`, `largest_us`; or `ahead`, `first_seq` |
    /// | `write-ahead-log` | `bytes`, `frames`, `pending` (frames) |
    /// | `journal` | `living`, `ended` (writers), `waiting`, `living_waiting` (events) |
    /// | `consumer-backlog` | `acknowledged`, `events`, `bytes`, `oldest_age_s` |
    /// | `consumer-checkpoint` | `bytes`, `checkpoint` |
    /// | `ledger` | `count` |
    /// | `answers` | `count`, `granted` (answers); or `number`, `time_us`, `granted` (1 or 0) of one of the newest 20 |
    /// | `file-lines` | `lines`, `faulty`, `torn`, `unended` (a last line that lacks only its line feed) |
    /// | `file-numbers` | `events`, `first_seq`, `last_seq`, `missing`, `repeated`, `late`; or `unfollowed` (events) |
    /// | `file-numbers`, `file-clock` for several installs | `installs` |
    /// | `permissions` | `mode`; or `owner`, `folder_owner` |
    /// | `free-space` | `free`, `size` |
    var json: JSONValue {
        [
            "log": .string(path), "severity": .string(severity.rawValue),
            "failure": failure.map { .string($0.message) } ?? .null, "findings": .array(findings.map(Self.json)),
            "steps": .array(steps.map { ["place": .string($0.location), "message": .string($0.message)] }),
        ]
    }

    /// Clamps a number of a damaged log to the range that every JSON reader keeps exactly.
    private static func number(_ value: Int64) -> JSONValue {
        let range = JSONValue.interoperable
        return .integer(min(max(value, range.lowerBound), range.upperBound))
    }

    private static func json(_ finding: Finding) -> JSONValue {
        [
            "check": .string(finding.check.rawValue), "severity": .string(finding.severity.rawValue),
            "place": .string(finding.location), "message": .string(finding.message),
            "advice": finding.advice.map { .string($0) } ?? .null,
            "numbers": .object(finding.numbers.mapValues(number)),
        ]
    }
}

extension ExaminedLog {
    private static let width = Finding.Severity.allCases.map(\.rawValue.count).max() ?? 0
    private static let checkWidth = Check.allCases.map(\.rawValue.count).max() ?? 0

    /// The text output: repair steps, then a line for each finding, worst first, each followed by its advice.
    ///
    /// - Parameter isPlan: Whether the steps are only planned.
    func lines(isPlan: Bool) -> [String] {
        let steps = steps.map { "\(isPlan ? "would" : "done ")  \($0.location): \($0.message)".printable }
        // Findings of equal severity stay in check order.
        let order = findings.enumerated().sorted { left, right in
            left.element.severity == right.element.severity
                ? left.offset < right.offset : left.element.severity > right.element.severity
        }
        return steps
            + order.map(\.element).flatMap { finding in
                let head = finding.severity.rawValue.fitted(to: Self.width)
                let check = finding.check.rawValue.fitted(to: Self.checkWidth)
                let line = "\(head)  \(check)  \(finding.location): \(finding.message)"
                let advice = finding.advice.map { String(repeating: " ", count: Self.width + 2) + $0 }
                return [line, advice].compactMap { $0?.printable }
            }
    }
}
