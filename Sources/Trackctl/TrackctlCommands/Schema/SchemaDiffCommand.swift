internal import ArgumentParser
internal import CommandSupport
internal import PlanDiff
internal import TrackingPlan

/// `trackctl schema diff`: whether the versions' numbers keep what they promise.
struct SchemaDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Says which version each change of a schema needs.",
        discussion: """
            Examples:
              trackctl schema diff --against git:origin/main
              trackctl schema diff --against git:HEAD~1 Schemas --json
              trackctl schema diff --against ../published/Schemas
              trackctl schema diff

            A version is MODEL-REVISION-ADDITION. An ADDITION leaves every old event valid and breaks no reader; a \
            REVISION leaves every old event valid, but who reads new events as old ones may fail; a MODEL is \
            anything else. Where it can be shown that some old event is no longer valid, one is shown; a validator \
            was asked about each. A published version never changes and never goes. Without --against, each version \
            is compared with the one before it.

            Exit codes: 0 every number is right; 1 a number is too small, or a published version is not what it \
            was; 64 wrong usage; 65 a schema cannot be read; 66 no such folder or revision.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Option(
        help: ArgumentHelp(
            "What was published: git:REVISION for this folder in a revision, or another folder.",
            valueName: "git:revision|folder"))
    var against: String?

    @Flag(name: .customLong("json"), help: "One JSON object on one line instead of text.")
    var asJSON = false

    func validate() throws {
        if against == "" || against == "git:" {
            throw ValidationError("--against needs a folder, or a revision such as git:HEAD~1")
        }
    }

    func run() async throws {
        let new = try folder.read()
        let diff = try PlanDiff(new, against: try published())
        let output = BufferedOutput.standardOutput()
        try output.write(line: (asJSON ? diff.json : diff.text).utf8)
        try output.flush()
        guard diff.findingCount == 0 else { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func published() throws(PlanError) -> (folder: PlanFolder, name: String)? {
        guard let against else { return nil }
        guard against.hasPrefix("git:") else {
            let published = try PlanFolder(path: against)
            try published.requireSchemas()
            return (published, against)
        }
        let revision = String(against.dropFirst("git:".count))
        let published = try PlanFolder(path: folder.folder, atRevision: revision)
        if !published.hasSchemas {
            Console.complain("\(revision) has no schema in \(folder.folder): nothing is published there, all is new")
        }
        return (published, against)
    }
}
