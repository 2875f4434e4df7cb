internal import ArgumentParser
internal import Scaffolding

/// `trackctl new templates`: the built-in templates as files that a team changes.
struct NewTemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Copies the built-in templates, for a team to change.",
        discussion: """
            Examples:
              trackctl new templates
              trackctl new templates Templates

            Templates in \(LayoutOptions.templateFolder) of the package are used in the place of the built-in ones; \
            others are named by --templates. Remove those that stay as they are. {{name}} and the like are placeholders; \
            one that there is not is an error with its place, which names those that there are. One that stands alone on \
            its line takes as many lines as it has.
            """
    )

    @Argument(help: "The folder to write to (default: \(LayoutOptions.templateFolder) in the package).")
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the app's package (default: the nearest with a Package.swift, from here upwards).",
            valueName: "folder"))
    var package: String?

    func run() async throws {
        let folder = try self.folder ?? PackageRoot(package).path(LayoutOptions.templateFolder)
        let scaffold = Scaffold(templatesIn: folder)
        try ScaffoldWriter(scaffold).write()
        let output = BufferedOutput.standardOutput()
        for line in scaffold.report { try output.write(line: line.utf8) }
        try output.flush()
    }
}
