internal import ArgumentParser
internal import CommandSupport
internal import PlanCodegen

/// `trackctl schema codegen`: Swift types of the events in a folder of schemas.
struct CodegenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codegen",
        abstract: "Makes Swift types of an app's events and pages.",
        discussion: """
            Examples:
              trackctl schema codegen --output Sources/App/Events
              trackctl schema codegen --output App/Events --access public
              trackctl schema codegen --output Sources/App/Events --check

            The folder of schemas holds events/<name>/<version>.json; the newest version of each becomes a file, \
            and the pages of pages.json become an enum. What was generated there before and is not asked for any more is removed; other files are left alone. What \
            cannot be expressed in Swift is refused, with its place. Exit codes: 0 done; 1 with --check, a file is not \
            what the schemas say; 65 a schema is at fault, or there is none; 66 no such folder; 74 a file cannot be \
            read or written.
            """
    )

    @Option(help: "The folder of schemas.")
    var schemas = "Schemas"

    @Option(help: "The folder for the Swift files.")
    var output: String

    @Option(
        help: "Who may use the types: public, package (for targets with InternalImportsByDefault) or internal.")
    var access: Access = .internal

    @Flag(help: "Write nothing; fail if a file is not what the schemas say.")
    var check = false

    func run() throws {
        var job = GenerationJob(schemas: schemas)
        job.folder = output
        job.access = access
        let written: [String]
        do throws(CodegenError) { written = try job.run(isCheck: check) } catch {
            // Places in files start their lines, so that editors can jump there.
            let head =
                switch error.code {
                case .schemas: "these schemas cannot become Swift code:\n"
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
    /// The exit status for schemas that cannot become code: 1 for a check that fails, as of every check.
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
