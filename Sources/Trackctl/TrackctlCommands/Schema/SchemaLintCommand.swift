internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import JSONLines
internal import PlanLint
internal import PlanPages
internal import TextRendering
internal import TrackingPlan

/// `trackctl schema lint`: what breaks the rules in a folder of schemas.
struct SchemaLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds what breaks the rules in a folder of schemas.",
        discussion: """
            Examples:
              trackctl schema lint
              trackctl schema lint Schemas --format json
              trackctl schema lint --rules

            Each finding is file:line:column: what to do [rule]. A subschema excuses itself from a rule with \
            "x-lint": {"rule-id": "the reason"}. Each event that unplanned.json allows without a schema is listed as a \
            note; after the day that its member until names it is a finding. The exit code is 1 if there is a finding; \
            that a file is no JSON is one of them.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Option(help: "text, json (one object on one line), github (annotations) or sarif (2.1.0).")
    var format = LintFormat.text

    @Flag(help: "Print what the rules are, and why, instead.")
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
        for line in try format.lines(findings, notes: notes, in: files) { try output.write(line: line.utf8) }
        try output.flush()
        try files.requireSchemas()
        _ = try files.eventSets()
        guard findings.isEmpty else {
            throw CommandFailure(
                .findings, "\(findings.count) finding\(findings.count == 1 ? "" : "s"); --rules says why")
        }
    }
}

/// How findings are written.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    /// One line a finding, which editors can jump to.
    case text
    /// One object on one line.
    case json
    /// Annotations of a workflow on GitHub.
    case github
    /// The static analysis results interchange format, 2.1.0.
    case sarif

    /// The findings as lines.
    func lines(_ findings: [LintFinding], notes: [LintFinding], in folder: PlanFolder) throws -> [String] {
        func text(_ finding: LintFinding, _ level: String = "") -> String {
            let location = "\(folder.location(of: finding.path)):\(finding.line):\(finding.column)"
            return "\(location): \(level)\(finding.message) [\(finding.rule)]".printable
        }
        switch self {
        case .text:
            return findings.map { text($0) } + notes.map { text($0, "note: ") }
        case .json:
            var json = JSONWriter()
            try Self.json(findings, notes, in: folder).write(to: &json)
            return [String(decoding: json.bytes, as: UTF8.self)]
        case .github: return Self.all(findings, notes).annotations(in: folder)
        case .sarif: return [try Self.all(findings, notes).sarif(in: folder, rules: SARIFLog.Rule.lint)]
        }
    }

    private static func all(_ findings: [LintFinding], _ notes: [LintFinding]) -> [PlanFinding] {
        findings.map { PlanFinding($0) } + notes.map { PlanFinding($0, .note) }
    }

    /// The findings as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `findings` is an array of objects: `rule`, `severity` (`error`), `file`, `line` and `column` from 1,
    /// the column in bytes, `pointer` (RFC 6901, into the file), `message`. `notes` is an array of such objects with the
    /// `severity` `note`: they don't fail.
    private static func json(_ findings: [LintFinding], _ notes: [LintFinding], in folder: PlanFolder) -> JSONValue {
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
        ]
    }
}
