internal import ArgumentParser
internal import CommandSupport
internal import PlanCodegen

/// `trackctl schema codegen`: generates Swift types for events.
struct CodegenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codegen",
        abstract: "Generate Swift types for an app's events and pages.",
        discussion: """
            Examples:
              trackctl schema codegen --output Sources/App/Events
              trackctl schema codegen --output App/Events --access public
              trackctl schema codegen --output Sources/App/Events --check

            The folder of schemas holds events/<name>/<version>.json. The newest version of each event becomes a \
            file, and the pages of pages.json become an enum. Generated files that are no longer needed are removed; \
            other files stay unchanged. Unsupported schema constructs are reported with file and line. Exit codes: 0 \
            done; 1 with --check, a file differs from the schemas; 65 a schema is invalid, or there is none; 66 no \
            such folder; 74 a file cannot be read or written.
            """
    )

    @Option(
        help: ArgumentHelp("Folder of schemas (default: \(DefaultPlanFolder.description)).", valueName: "folder"))
    var schemas: String?

    @Option(help: "Folder for the Swift files.")
    var output: String

    @Option(
        help: "Access level of the types: public, package (for targets with InternalImportsByDefault) or internal.")
    var access: Access = .internal

    @Flag(help: "Write nothing; fail if a file differs from the schemas.")
    var check = false

    func run() throws {
        var job = GenerationJob(schemas: try schemas ?? DefaultPlanFolder.find(passing: "by --schemas"))
        job.folder = output
        job.access = access
        let written: [String]
        do throws(CodegenError) { written = try job.run(isCheck: check) } catch {
            // Editors can jump to a location at the start of a line.
            let head =
                switch error.code {
                case .schemas: "cannot generate Swift code from these schemas:\n"
                case .stale: "these files are not up to date:\n"
                case .noFolder, .inputOutput: ""
                }
            throw CommandFailure(
                ExitStatus(error.code), head + error.message)
        }
        let output = BufferedOutput.standardOutput()
        for name in written { try output.write(line: name.utf8) }
        try output.flush()
    }
}

extension Access: ExpressibleByArgument {}

extension ExitStatus {
    /// The exit status of an error; 1 for a failed check.
    fileprivate init(_ code: CodegenError.Code) {
        self =
            switch code {
            case .stale: .findings
            case .schemas: .dataError
            case .noFolder: .noInput
            case .inputOutput: .inputOutput
            }
    }
}
