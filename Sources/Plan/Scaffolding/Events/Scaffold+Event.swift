internal import Foundation
internal import PlanCodegen
internal import TrackingPlan

extension Scaffold {
    /// The files of a new event: its schema, its type unless the build makes it, what sends it, the test that says when it
    /// fires, the pages of the plan.
    ///
    /// - Throws: ``ScaffoldError``: `exists` for the event or one of its types; `invalidPlan`, `invalidTemplate`,
    ///   `cannotRead`.
    package init(_ event: NewEvent, in layout: AppLayout, _ templates: TemplateSet) throws(ScaffoldError) {
        self.init()
        let name = event.name.text
        let folder = try Self.plan(layout.schemas)
        let base = "https://schemas.\(layout.module.lowercased().filter { $0 != "_" }).example/"
        let plan = try GrownPlan(folder, adding: event, templates, base: base)
        let code = try plan.code(access: event.access)
        guard let type = code.typeName(ofEvent: name), let expression = try Self.example(code, name) else {
            throw ScaffoldError(
                .invalidTemplate,
                "the templates of schemas give no event \(name) with an example: add one to \"examples\"")
        }
        let file = layout.makesTypes ? nil : code.file(ofEvent: name)
        try layout.requireFree([type, "\(type)Sender", "\(type)Tests"], suggesting: event.name.alternative)

        files = plan.newFiles()
        if let file { files.append(ScaffoldFile(new: "\(layout.sources)/Events/\(file.name)", file.text)) }
        let values = [
            "name": name, "type": type, "description": event.description, "event": expression, "module": layout.module,
        ]
        let sender = ScaffoldFile(
            new: "\(layout.sources)/Events/\(type)Sender.swift", try templates.filled(.eventSender, with: values))
        files.append(sender)
        files.append(
            ScaffoldFile(
                new: "\(layout.tests)/Events/\(type)Tests.swift", try templates.filled(.eventTests, with: values)))
        try addAppPlan(layout, templates)
        files += plan.pages()
        if event.isLocked { files.append(try plan.lock()) }

        steps = layout.notes
        let personal = event.properties.filter(\.countsAsPersonal).map(\.name)
        steps.append(
            "say in \(folder.location(of: event.schemaPath)) what it means, and what is allowed"
                + (personal.isEmpty
                    ? ""
                    : "; \(personal.joined(separator: ", ")) \(personal.count == 1 ? "counts" : "count") as personal until "
                        + "x-pii is false"))
        if file != nil {
            steps.append(
                "trackctl schema codegen --schemas \(layout.schemas) --output \(layout.sources)/Events, after each change"
            )
        }
        steps.append("call \(type)Sender where it happens, or move its line there, and its test with it")
        steps.append("swift test --filter \(type)Tests")
        if plan.hasLock, !event.isLocked {
            steps.append("trackctl schema lock \(layout.schemas), when it is published")
        }
    }

    /// The plan that is there; an empty one if there is none.
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

    /// The plan that tests check events against, unless it is there.
    private mutating func addAppPlan(_ layout: AppLayout, _ templates: TemplateSet) throws(ScaffoldError) {
        let path = "\(layout.tests)/AppPlan.swift"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let values = ["schemas": layout.wayFromTests(to: layout.schemas)]
        files.append(ScaffoldFile(new: path, try templates.filled(.appPlan, with: values)))
    }
}
