internal import ArgumentParser
internal import JSONLines
internal import PlanLint
internal import TextRendering
internal import TrackingPlan

/// How findings are written.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    /// One line a finding, which editors can jump to.
    case text
    /// One object on one line.
    case json
    /// Annotations of a workflow on GitHub.
    case github

    /// The findings as lines.
    func lines(_ findings: [LintFinding], in folder: PlanFolder) throws -> [String] {
        switch self {
        case .text:
            return findings.map {
                "\(folder.place(of: $0.path)):\($0.line):\($0.column): \($0.message) [\($0.rule)]".printable
            }
        case .json:
            var json = JSONWriter()
            try Self.json(findings, in: folder).write(to: &json)
            return [String(decoding: json.bytes, as: UTF8.self)]
        case .github:
            return findings.map { finding in
                WorkflowCommand.line(
                    "error",
                    [
                        ("file", folder.place(of: finding.path)), ("line", "\(finding.line)"),
                        ("col", "\(finding.column)"), ("title", finding.rule),
                    ], message: finding.message)
            }
        }
    }

    /// The findings as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `findings` is an array of objects: `rule`, `severity` (always `error`), `file`, `line` and `column` from 1,
    /// the column in bytes, `pointer` (RFC 6901, into the file), `message`.
    private static func json(_ findings: [LintFinding], in folder: PlanFolder) -> JSONValue {
        let list = findings.map { finding -> JSONValue in
            [
                "rule": .string(finding.rule), "severity": "error", "file": .string(folder.place(of: finding.path)),
                "line": .integer(Int64(finding.line)), "column": .integer(Int64(finding.column)),
                "pointer": .string(finding.pointer), "message": .string(finding.message),
            ]
        }
        return ["findings": .array(list)]
    }
}
