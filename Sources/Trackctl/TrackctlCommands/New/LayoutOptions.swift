internal import ArgumentParser
internal import Foundation
internal import Scaffolding
internal import TextRendering

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
        help: """
            How the app sends events: tracker, its types are handed a Tracker; flux, a TrackingEnvironment (default: flux \
            if the target's sources use TrackingEnvironment or RouteCommand, or import TrackingCore and not Tracking; else \
            tracker).
            """)
    var style: ScaffoldStyle?

    @Option(
        help: ArgumentHelp(
            "The folder of templates (default: \(templateFolder) in the package if it is there).", valueName: "folder"))
    var templates: String?

    @Flag(help: "Write nothing; show what would be written.")
    var dryRun = false

    /// The parts.
    ///
    /// - Parameter style: The style if none is asked for; nil for what the sources use.
    /// - Throws: ``CommandFailure``, as `AppLayout`.
    func layout(style: ScaffoldStyle?) throws -> AppLayout {
        var request = AppLayout.Request()
        request.style = self.style ?? style
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
    /// - Parameter style: The style if none is asked for; nil for what the sources use.
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

/// What routes and screens have in common.
struct RouteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What the page shows, in a sentence (default: a placeholder).", valueName: "text"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The enum of the app's routes (default: the only one). Implies --style flux.", valueName: "type"))
    var routes: String?

    /// Makes a route and writes it.
    ///
    /// - Throws: ``CommandFailure``.
    func write(_ name: String, of noun: String, hasViewModel: Bool, _ options: LayoutOptions) throws {
        guard routes == nil || options.style != .tracker else {
            throw ValidationError("--routes names an enum of the Flux layer: remove it, or pass --style flux")
        }
        let route = try NewRoute(
            try ScaffoldName(name, of: noun), hasViewModel: hasViewModel, routes: routes, description: description)
        try options.write(style: routes == nil ? nil : .flux) { try Scaffold(route, in: $0, $1) }
    }
}

extension ScaffoldStyle: ExpressibleByArgument {}

extension Scaffold {
    /// What was written, and what is next.
    var report: [String] {
        files.map { "\($0.previous == nil ? "new    " : "changed") \($0.path.printable)" }
            + steps.map { "next    \($0.printable)" }
    }

    /// What would be written: new files whole, of others the lines that are added, of what is made of others its name.
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
