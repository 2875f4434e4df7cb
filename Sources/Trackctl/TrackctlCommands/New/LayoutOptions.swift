internal import ArgumentParser
internal import Foundation
internal import Scaffolding

/// Where an app's parts lie, and what new ones are made of.
struct LayoutOptions: ParsableArguments {
    /// Where a team keeps its templates, in the package.
    static let templateFolder = ".trackctl/templates"

    @Option(
        help: ArgumentHelp(
            "The folder of the app's package (default: the nearest with a Package.swift, from here upwards).",
            valueName: "folder"))
    var package: String?

    @Option(help: "The app's target (default: the only one, or the only one that names Tracking).")
    var target: String?

    @Option(help: ArgumentHelp("The target of its tests (default: <target>Tests).", valueName: "target"))
    var testTarget: String?

    @Option(
        help: ArgumentHelp(
            """
            The folder of schemas (default: Schemas in the target's folder if TrackingEventsPlugin makes its types, else \
            in the package's).
            """,
            valueName: "folder"))
    var schemas: String?

    @Option(
        help: ArgumentHelp(
            "The folder of templates (default: \(templateFolder) in the package if it is there).", valueName: "folder"))
    var templates: String?

    @Flag(help: "Write nothing; show what would be written.")
    var dryRun = false

    /// The parts.
    ///
    /// - Throws: ``CommandFailure``, as `AppLayout`.
    func layout() throws -> AppLayout {
        var request = AppLayout.Request()
        (request.package, request.target, request.tests, request.schemas) = (package, target, testTarget, schemas)
        return try AppLayout(request)
    }

    /// The templates.
    ///
    /// - Throws: ``CommandFailure``, as `TemplateSet`.
    func templateSet(of layout: AppLayout) throws -> TemplateSet {
        if let templates { return try TemplateSet(folder: templates) }
        let own = layout.root.path(Self.templateFolder)
        return FileManager.default.fileExists(atPath: own) ? try TemplateSet(folder: own) : TemplateSet()
    }

    /// Makes something, writes it and says so; shows it only, if that is asked for.
    ///
    /// - Throws: ``CommandFailure``.
    func write(_ make: (AppLayout, TemplateSet) throws -> Scaffold) throws {
        let layout = try layout()
        let scaffold = try make(layout, try templateSet(of: layout))
        let writer = ScaffoldWriter(scaffold)
        let output = BufferedOutput.standardOutput()
        guard !dryRun else {
            try writer.check()
            for line in scaffold.preview { try output.write(line: line.utf8) }
            return try output.flush()
        }
        try writer.write()
        for line in scaffold.report { try output.write(line: line.utf8) }
        try output.flush()
    }
}
