internal import ArgumentParser
internal import CommandSupport
internal import PlanPages
internal import TrackingPlan

/// `trackctl schema docs`: pages about a plan, made of its schemas.
struct SchemaDocsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Writes pages about the events, from their schemas.",
        discussion: """
            Examples:
              trackctl schema docs Schemas
              trackctl schema docs Schemas --check

            README.md and index.html say what each event and property means; RULES.md says what the schemas keep \
            to, VERSIONS.md which version a change needs. The same schemas give the same bytes. A page that this \
            command did not write is left alone, and the exit code is 65.
            """
    )

    @OptionGroup var folder: SchemaFolderArgument

    @Flag(help: "Write nothing; the exit code is 1 if a page is not what the schemas give.")
    var check = false

    func run() async throws {
        let files = try folder.read()
        let pages = PlanPage.files(of: try folder.plan(files))
        let stale = pages.filter { files.file($0.path)?.bytes != $0.bytes }
        let output = BufferedOutput.standardOutput()
        if check {
            for page in stale { try output.write(line: "\(files.place(of: page.path)): stale".utf8) }
            try output.flush()
            guard stale.isEmpty else {
                throw CommandFailure(.findings, "run trackctl schema docs \(files.name) and commit what it writes")
            }
            return
        }
        for page in stale {
            guard let present = files.file(page.path), !PlanPage.isWritten(present) else { continue }
            throw CommandFailure(
                .dataAtFault, "\(files.place(of: page.path)) was not written by trackctl: move it, then try again")
        }
        try SchemaFiles(folder: files).write(stale)
        for page in stale { try output.write(line: "\(files.place(of: page.path)): written".utf8) }
        try output.flush()
    }
}
