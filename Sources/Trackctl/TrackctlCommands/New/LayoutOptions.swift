internal import ArgumentParser
internal import Foundation
internal import Scaffolding
internal import TextRendering

/// The layout of an app's package, and the templates for new files.
struct LayoutOptions: ParsableArguments {
    /// The default folder of a team's templates, in the package.
    static let templateFolder = ".trackctl/templates"

    @Option(
        help: ArgumentHelp(
            "Folder of the app's package (default: the nearest parent with a Package.swift).",
            valueName: "folder"))
    var package: String?

    @Option(help: "App target (default: the only one, or the only one that depends on Tracking).")
    var target: String?

    @Option(help: ArgumentHelp("Test target (default: <target>Tests).", valueName: "target"))
    var testTarget: String?

    @Option(
        help: ArgumentHelp(
            """
            Folder of schemas (default: Schemas in the target's folder if TrackingEventsPlugin generates its types, \
            else in the package's).
            """,
            valueName: "folder"))
    var schemas: String?

    @Option(
        help: """
            How the app sends events: tracker (types receive a Tracker) or flux (types receive a \
            TrackingEnvironment). Default: flux if the target's sources use TrackingEnvironment or RouteCommand, or \
            import TrackingCore but not Tracking; else tracker.
            """)
    var style: ScaffoldStyle?

    @Option(
        help: ArgumentHelp(
            "Folder of templates (default: \(templateFolder) in the package, if it exists).", valueName: "folder"))
    var templates: String?

    @Flag(help: "Print what would be written, and write nothing.")
    var dryRun = false

    /// The layout that the options select.
    ///
    /// - Parameter style: The style if no option sets it; nil to infer it from the sources.
    /// - Throws: ``CommandFailure``; see `AppLayout`.
    func layout(style: ScaffoldStyle?) throws -> AppLayout {
        var request = AppLayout.Request()
        request.style = self.style ?? style
        request.package = package
        request.target = target
        request.tests = testTarget
        request.schemas = schemas
        return try AppLayout(request)
    }

    /// The templates that the options select.
    ///
    /// - Throws: ``CommandFailure``; see `TemplateSet`.
    func templateSet(of layout: AppLayout) throws -> TemplateSet {
        if let templates { return try TemplateSet(folder: templates) }
        let own = layout.root.path(Self.templateFolder)
        return FileManager.default.fileExists(atPath: own) ? try TemplateSet(folder: own) : TemplateSet()
    }

    /// Creates a scaffold, writes it and reports the files; with `--dry-run`, only prints it.
    ///
    /// - Parameter style: The style if no option sets it; nil to infer it from the sources.
    /// - Throws: ``CommandFailure``.
    func write(style: ScaffoldStyle? = nil, _ make: (AppLayout, TemplateSet) throws -> Scaffold) throws {
        let layout = try layout(style: style)
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

/// The options that `new route` and `new screen` share.
struct RouteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What the page shows, in one sentence (default: a placeholder).", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "Enum of the app's routes (default: the only one). Implies --style flux.", valueName: "type"))
    var routes: String?

    /// Creates a route and writes its files.
    ///
    /// - Throws: ``CommandFailure``.
    func write(_ name: String, of noun: String, hasViewModel: Bool, _ options: LayoutOptions) throws {
        guard routes == nil || options.style != .tracker else {
            throw ValidationError("--routes needs --style flux: remove --routes, or pass --style flux")
        }
        let route = try NewRoute(
            try ScaffoldName(name, of: noun), hasViewModel: hasViewModel, routes: routes, description: description)
        try options.write(style: routes == nil ? nil : .flux) { try Scaffold(route, in: $0, $1) }
    }
}

extension ScaffoldStyle: ExpressibleByArgument {}

extension Scaffold {
    /// The files written, and the next steps.
    var report: [String] {
        files.map { "\($0.previous == nil ? "new    " : "changed") \($0.path.printable)" }
            + steps.map { "next    \($0.printable)" }
    }

    /// The preview of `--dry-run`: new files in full, added lines of changed files, and the names of derived files.
    var preview: [String] {
        files.flatMap { file in
            let head = "==> \(file.previous == nil ? "new" : "changed") \(file.path.printable)"
            guard !file.isDerived else { return [head] }
            let sign = file.previous == nil ? "" : "+"
            var lines = file.addedLines.map { "\(sign)\($0.printable)" }
            if file.previous == nil, lines.last == "" { lines.removeLast() }
            return [head] + lines + [""]
        }
    }
}
