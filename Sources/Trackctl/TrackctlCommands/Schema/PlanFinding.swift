internal import ArgumentParser
internal import JSONLines
internal import PlanDiff
internal import PlanLint
internal import TrackingPlan

/// A finding of `trackctl schema lint`, `diff` or `lock`.
struct PlanFinding {
    /// How severe the finding is.
    enum Level: String {
        case error, warning, note
    }

    let rule: String
    var level = Level.error
    let position: PlanPosition
    /// The error and its correction.
    let message: String
}

extension PlanFinding {
    init(_ finding: LintFinding, _ level: Level = .error) {
        self.init(
            rule: finding.rule, level: level,
            position: PlanPosition(path: finding.path, line: finding.line, column: finding.column),
            message: finding.message)
    }

    init(_ finding: DiffFinding) {
        self.init(rule: finding.kind.rawValue, position: finding.position, message: finding.message)
    }
}

extension [PlanFinding] {
    /// The findings as workflow annotations of GitHub Actions.
    func annotations(in folder: PlanFolder) -> [String] {
        map { finding in
            WorkflowCommand.line(
                finding.level == .note ? "notice" : finding.level.rawValue,
                [
                    ("file", folder.location(of: finding.position.path)), ("line", "\(finding.position.line)"),
                    ("col", "\(finding.position.column)"), ("title", finding.rule),
                ], message: finding.message)
        }
    }

    /// The findings as SARIF 2.1.0, in one line.
    ///
    /// - Parameter rules: All rules that a finding may refer to.
    func sarif(in folder: PlanFolder, rules: [SARIFLog.Rule]) throws -> String {
        let results = map { finding -> JSONValue in
            let position = finding.position
            let region: JSONValue = [
                "startLine": .integer(Int64(position.line)),
                "startColumn": .integer(Int64(Self.character(position, in: folder))),
            ]
            return [
                "ruleId": .string(finding.rule),
                "ruleIndex": .integer(Int64(rules.firstIndex { $0.id == finding.rule } ?? -1)),
                "level": .string(finding.level.rawValue), "message": ["text": .string(finding.message)],
                "locations": [
                    [
                        "physicalLocation": [
                            "artifactLocation": SARIFLog.artifact(folder.location(of: position.path)), "region": region,
                        ]
                    ]
                ],
            ]
        }
        var json = JSONWriter()
        try SARIFLog.log(rules: rules, results: results, invocation: ["executionSuccessful": true]).write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The column in Unicode code points, from 1.
    private static func character(_ position: PlanPosition, in folder: PlanFolder) -> Int {
        let lines = folder.file(position.path)?.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) ?? []
        guard position.line <= lines.count else { return position.column }
        return lines[position.line - 1].prefix(position.column - 1).reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}

/// The output formats of `trackctl schema diff` and `trackctl schema lock`.
enum PlanFindingFormat: String, CaseIterable, ExpressibleByArgument {
    /// Plain text.
    case text
    /// Workflow annotations of GitHub Actions.
    case github
    /// The static analysis results interchange format, 2.1.0.
    case sarif
}
