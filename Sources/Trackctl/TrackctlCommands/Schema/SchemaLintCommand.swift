internal import ArgumentParser
internal import CommandSupport
internal import PlanLint
internal import PlanPages
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
            "x-lint": {"rule-id": "the reason"}. The exit code is 1 if there is a finding; that a file is no JSON is \
            one of them.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Option(help: "text, json (one object on one line), or github (annotations).")
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
        let findings = PlanLinter.findings(in: files)
        for line in try format.lines(findings, in: files) { try output.write(line: line.utf8) }
        try output.flush()
        try files.requireSchemas()
        guard findings.isEmpty else {
            throw CommandFailure(
                .findings, "\(findings.count) finding\(findings.count == 1 ? "" : "s"); --rules says why")
        }
    }
}
