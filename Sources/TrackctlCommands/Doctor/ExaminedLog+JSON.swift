internal import JSONLines
internal import LogCare

extension ExaminedLog {
    /// The findings as one object. **Frozen**: members and checks are added, never renamed or removed.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `log` | the input as it was named |
    /// | `severity` | the worst of the findings: `ok`, `note`, `warning` or `error` |
    /// | `findings` | in the order of the checks: `check`, `severity`, `place`, `message`, `advice` (or null), \
    /// `numbers` (by name; times in seconds or `_us`) |
    /// | `steps` | what `--fix` did, or with `--dry-run` would do: `place`, `message` |
    var json: JSONValue {
        [
            "log": .string(path), "severity": .string(severity.rawValue),
            "findings": .array(findings.map(Self.json)),
            "steps": .array(steps.map { ["place": .string($0.place), "message": .string($0.message)] }),
        ]
    }

    private static func json(_ finding: Finding) -> JSONValue {
        [
            "check": .string(finding.check.rawValue), "severity": .string(finding.severity.rawValue),
            "place": .string(finding.place), "message": .string(finding.message),
            "advice": finding.advice.map { .string($0) } ?? .null,
            "numbers": .object(finding.numbers.mapValues { .integer($0) }),
        ]
    }
}
