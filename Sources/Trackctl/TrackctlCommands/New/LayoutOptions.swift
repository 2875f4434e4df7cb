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

/// What routes and screens have in common.
struct RouteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The enum of the app's routes (default: the only one).", valueName: "type"))
    var routes: String?

    /// Makes a route and writes it.
    ///
    /// - Throws: ``CommandFailure``.
    func write(_ name: String, of noun: String, hasViewModel: Bool, _ options: LayoutOptions) throws {
        let route = try NewRoute(
            try ScaffoldName(name, of: noun), hasViewModel: hasViewModel, routes: routes)
        try options.write { try Scaffold(route, in: $0, $1) }
    }
}

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
