internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import JSONLines
internal import PlanLint
internal import PlanPages
internal import TextRendering
internal import TrackingPlan

/// `trackctl schema lint`: checks a folder of schemas against the rules.
struct SchemaLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check a folder of schemas against the rules.",
        discussion: """
            Examples:
              trackctl schema lint
              trackctl schema lint Schemas --format json
              trackctl schema lint --rules

            Each finding is file:line:column: what to do [rule]. To exempt a subschema from a rule, add "x-lint": \
            {"rule-id": "the reason"}. Events that unplanned.json allows without a schema are listed as notes; after \
            the date in 'until', they are findings. Out-of-date pages of schema docs in the folder are warnings. Exit \
            code 1: there are findings; malformed JSON is also a finding.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Option(help: "text, json (one object on one line), github (annotations) or sarif (2.1.0).")
    var format = LintFormat.text

    @Flag(help: "Print the rules with their reasons instead.")
    var rules = false

    func run() async throws {
        let output = BufferedOutput.standardOutput()
        guard !rules else {
            try output.write(line: LintRulePage.markdown.utf8.dropLast())
            return try output.flush()
        }
        let files = try folder.read()
        let today = String(SelectionOptions.now.rfc3339.prefix(10))
        let findings = PlanLinter.findings(in: files, today: today)
        let notes = PlanLinter.notes(in: files, today: today)
        // An invalid plan has no pages to compare; its errors are among the findings.
        let stale = (try? folder.plan(files)).map { StaleDocumentation(of: $0, in: files) }
        let warnings = (stale?.paths ?? []).map { path in
            LintFinding(
                rule: "stale-docs", path: path, line: 1, column: 1, pointer: "", message: stale?.advice ?? "")
        }
        for line in try format.lines(findings, notes: notes, warnings: warnings, in: files) {
            try output.write(line: line.utf8)
        }
        try output.flush()
        try files.requireSchemas()
        _ = try files.eventSets()
        guard findings.isEmpty else {
            throw CommandFailure(
                .findings,
                "\(findings.count) finding\(findings.count == 1 ? "" : "s"); see trackctl schema lint --rules"
            )
        }
    }
}

/// The output formats of `trackctl schema lint`.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    /// One line per finding; editors can jump to it.
    case text
    /// One object on one line.
    case json
    /// Workflow annotations of GitHub Actions.
    case github
    /// The static analysis results interchange format, 2.1.0.
    case sarif

    func lines(
        _ findings: [LintFinding], notes: [LintFinding], warnings: [LintFinding], in folder: PlanFolder
    ) throws -> [String] {
        func text(_ finding: LintFinding, _ level: String = "") -> String {
            let location = "\(folder.location(of: finding.path)):\(finding.line):\(finding.column)"
            return "\(location): \(level)\(finding.message) [\(finding.rule)]".printable
        }
        switch self {
        case .text:
            return findings.map { text($0) } + warnings.map { text($0, "warning: ") } + notes.map { text($0, "note: ") }
        case .json:
            var json = JSONWriter()
            try Self.json(findings, notes: notes, warnings: warnings, in: folder).write(to: &json)
            return [String(decoding: json.bytes, as: UTF8.self)]
        case .github: return Self.all(findings, warnings: warnings, notes: notes).annotations(in: folder)
        case .sarif:
            return [
                try Self.all(findings, warnings: warnings, notes: notes).sarif(in: folder, rules: SARIFLog.Rule.lint)
            ]
        }
    }

    private static func all(
        _ findings: [LintFinding], warnings: [LintFinding], notes: [LintFinding]
    ) -> [PlanFinding] {
        findings.map { PlanFinding($0) } + warnings.map { PlanFinding($0, .warning) }
            + notes.map { PlanFinding($0, .note) }
    }

    /// The findings as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `findings` is an array of objects: `rule`, `severity` (`error`), `file`, `line` and `column` from 1, the
    /// column in bytes, `pointer` (RFC 6901, into the file), `message`. `notes` and `warnings` are arrays of such
    /// objects with the severities `note` and `warning`; they don't fail the run. A warning with the rule
    /// `stale-docs` is an out-of-date page of `schema docs`.
    private static func json(
        _ findings: [LintFinding], notes: [LintFinding], warnings: [LintFinding], in folder: PlanFolder
    ) -> JSONValue {
        func json(_ finding: LintFinding, _ severity: String) -> JSONValue {
            [
                "rule": .string(finding.rule), "severity": .string(severity),
                "file": .string(folder.location(of: finding.path)),
                "line": .integer(Int64(finding.line)), "column": .integer(Int64(finding.column)),
                "pointer": .string(finding.pointer), "message": .string(finding.message),
            ]
        }
        return [
            "findings": .array(findings.map { json($0, "error") }), "notes": .array(notes.map { json($0, "note") }),
            "warnings": .array(warnings.map { json($0, "warning") }),
        ]
    }
}
