internal import Foundation
internal import PlanCodegen
internal import TrackingPlan

extension Scaffold {
    /// Makes the files of a new event: its schema, its test, the plan's pages and, unless the build generates it, its
    /// type.
    ///
    /// - Throws: ``ScaffoldError``: `exists` for the event or one of its types; `invalidPlan`, `invalidTemplate`,
    ///   `cannotRead`.
    package init(_ event: NewEvent, in layout: AppLayout, _ templates: TemplateSet) throws(ScaffoldError) {
        self.init()
        let name = event.name.text
        let folder = try Self.plan(layout.schemas)
        let base = "https://schemas.\(layout.module.lowercased().filter { $0 != "_" }).example/"
        let plan = try ExtendedPlan(folder, adding: event, templates, base: base)
        let code = try plan.code(access: event.access)
        guard let type = code.typeName(ofEvent: name), let expression = try Self.example(code, name) else {
            throw ScaffoldError(
                .invalidTemplate,
                "the schema templates contain no example of the event \(name): add one to \"examples\"")
        }
        let file = layout.makesTypes ? nil : code.file(ofEvent: name)
        try layout.requireFree([type, "\(type)Tests"], suggesting: event.name.alternative)

        files = plan.newFiles()
        if let file {
            files.append(ScaffoldFile(new: "\(layout.sources)/Events/\(file.name)", file.text))
            try addPurposes(plan, access: event.access, layout)
        }
        var values = [
            "name": name, "type": type, "description": event.description, "event": expression, "module": layout.module,
        ]
        let template: TemplateName = layout.style == .flux ? .fluxEventTests : .eventTests
        if layout.style == .flux { values.merge(try Self.routes(layout)) { first, _ in first } }
        let test = "\(layout.tests)/Events/\(type)Tests.swift"
        files.append(ScaffoldFile(new: test, try templates.filled(template, with: values)))
        try addAppPlan(layout, templates)
        files += plan.pages()
        if event.isLocked { files.append(try plan.lock()) }

        steps = layout.notes
        let schema = folder.location(of: event.schemaPath)
        if plan.hasPlaceholders {
            steps.append(
                "replace the placeholder descriptions in \(schema); until then trackctl schema lint reports them")
        }
        let personal = event.properties.filter(\.countsAsPersonal).map(\.name)
        if !personal.isEmpty {
            steps.append(
                "\(personal.joined(separator: ", ")) \(personal.count == 1 ? "counts" : "count") as personal: set x-pii in "
                    + "\(schema) to false if not")
        }
        if file != nil {
            steps.append(
                "after each change of the schema: trackctl schema codegen --schemas \(layout.schemas) --output "
                    + "\(layout.sources)/Events")
        }
        if plan.hasPages { steps.append("after each change of the schema: trackctl schema docs \(layout.schemas)") }
        let sender = layout.style == .flux ? "environment.tracking" : "tracker"
        steps.append("send the event where it occurs: \(sender).send(\(expression))")
        steps.append("in \(test), replace the marked line with a call of that code")
        steps.append("swift test --filter \(type)Tests")
        if plan.hasLock, !event.isLocked {
            steps.append("when you release the event: trackctl schema lock \(layout.schemas)")
        }
    }

    /// Returns the routes enum for an event's test: the app's, or a new one if the app has none or several.
    private static func routes(_ layout: AppLayout) throws(ScaffoldError) -> [String: String] {
        do throws(ScaffoldError) {
            if let routes = try RouteEnum.find(in: layout.allSources, named: nil) {
                return ["routes": routes.name, "no-route": ""]
            }
        } catch {
            guard error.code == .ambiguous || error.code == .invalidSource else { throw error }
        }
        return ["routes": "NoRoute", "no-route": "enum NoRoute: RouteCommand {}"]
    }

    /// Returns the existing plan, or an empty one.
    static func plan(_ path: String) throws(ScaffoldError) -> PlanFolder {
        do throws(PlanError) { return try PlanFolder(path: path) } catch {
            guard error.code != .noFolder else { return PlanFolder(name: path, files: []) }
            throw ScaffoldError(.cannotRead, error.message, underlyingError: error)
        }
    }

    private static func example(_ code: CodeGenerator, _ name: String) throws(ScaffoldError) -> String? {
        do throws(CodegenError) { return try code.example(ofEvent: name) } catch {
            throw ScaffoldError(.invalidPlan, error.message, underlyingError: error)
        }
    }

    /// Adds the file of the plan's purposes unless it is up to date. An existing file keeps its access level.
    private mutating func addPurposes(
        _ plan: ExtendedPlan, access: Access, _ layout: AppLayout
    ) throws(ScaffoldError) {
        guard let made = try plan.code(access: access).purposesFile() else { return }
        let path = "\(layout.sources)/Events/\(made.name)"
        let previous = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        // The first line names the generator and its input. Another file of that name is an error when files are written.
        guard let previous, previous.prefix(while: { $0 != "\n" }) == made.text.prefix(while: { $0 != "\n" }) else {
            return files.append(ScaffoldFile(new: path, made.text))
        }
        let declared = Access.allCases.first { previous.contains("\($0.rawValue) nonisolated static let planned") }
        guard let text = try plan.code(access: declared ?? .internal).purposesFile()?.text, text != previous else {
            return
        }
        files.append(ScaffoldFile(derived: path, from: Array(previous.utf8), to: Array(text.utf8)))
    }

    /// Adds the plan that tests check events against, unless it exists.
    private mutating func addAppPlan(_ layout: AppLayout, _ templates: TemplateSet) throws(ScaffoldError) {
        let path = "\(layout.tests)/AppPlan.swift"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let values = ["schemas": layout.pathFromTests(to: layout.schemas)]
        files.append(ScaffoldFile(new: path, try templates.filled(.appPlan, with: values)))
    }
}
