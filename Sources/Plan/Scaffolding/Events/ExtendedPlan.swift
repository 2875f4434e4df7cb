internal import JSONSchema
internal import PlanCodegen
internal import PlanDiff
internal import PlanLint
internal import PlanPages
internal import TrackingPlan

/// A plan with a new event, in memory, to validate it before anything is written.
struct ExtendedPlan {
    private let before: PlanFolder
    private let after: PlanFolder
    /// The new schema.
    private let added: PlanFile
    /// The new line in `examples/good`, if the plan has such lines.
    private let line: PlanFile?
    private let plan: EventPlan
    /// Whether the schema has placeholder descriptions.
    let hasPlaceholders: Bool

    /// Adds the schema of an event to a plan.
    ///
    /// - Throws: ``ScaffoldError``: `exists` for the event; `invalidPlan`; `invalidTemplate` if the schema breaks a
    ///   rule.
    init(_ folder: PlanFolder, adding event: NewEvent, _ templates: TemplateSet, base: String) throws(ScaffoldError) {
        let name = event.name.text
        let provided: EventPlan
        do throws(PlanError) { provided = try EventPlan.base(of: folder) } catch {
            throw ScaffoldError(.invalidPlan, error.message, underlyingError: error)
        }
        let known = provided.events.map(\.path) + folder.files.map(\.path)
        if let path = known.first(where: { PlanSchema.identity(ofPath: $0)?.name == name }) {
            let whose =
                folder.file(path) == nil ? "an event of the SDK" : "already in the plan, \(folder.location(of: path))"
            throw ScaffoldError(
                .exists, "\(name) is \(whose): choose another name, or write a new version of its schema")
        }
        // Errors in the plan are reported after the new schema is added.
        if let existing = try? EventPlan(folder) { try event.purpose.requireRoom(in: existing) }
        let (template, values) = event.schemaValues(base: Self.base(of: folder) ?? base)
        let text = try templates.filled(template, with: values)
        added = PlanFile(path: event.schemaPath, bytes: Array(text.utf8))
        before = folder
        line = ExampleLine.file(of: added, in: folder)
        after = PlanFolder(name: folder.name, files: folder.files + [added] + (line.map { [$0] } ?? []))
        do throws(PlanError) { plan = try EventPlan(after) } catch {
            throw ScaffoldError(
                .invalidPlan, "the plan is invalid with \(name):\n\(error.message)", underlyingError: error)
        }
        guard let schema = plan.versions(of: name).last, schema.purpose == event.purpose.purpose else {
            throw ScaffoldError(
                .invalidTemplate,
                "the schema generated from \(templates.path(of: template)) has another purpose than "
                    + "\(event.purpose.purpose): add a line with only {{purpose}}")
        }
        let own = [added.path, line?.path]
        let all = PlanLinter.findings(in: after).filter { own.contains($0.path) }
        let findings = all.filter { $0.rule != LintRule.placeholderDescription.id }
        hasPlaceholders = findings.count < all.count
        guard findings.isEmpty else {
            let list = findings.map {
                "  \($0.pointer.isEmpty ? "root" : $0.pointer): \($0.message) [\($0.rule)]"
            }
            throw ScaffoldError(
                .invalidTemplate,
                "the schema generated from \(templates.path(of: template)) breaks rules of the plan:\n"
                    + list.joined(separator: "\n"))
        }
    }

    /// Returns the part before the path in the `$id` of existing schemas.
    private static func base(of folder: PlanFolder) -> String? {
        // Errors in the plan are reported after the new schema is added.
        let schemas = (try? EventPlan(folder)).map { $0.containers + $0.events } ?? []
        return schemas.lazy.compactMap { schema -> String? in
            guard let id = schema.root[.id]?.string, id.hasSuffix("/\(schema.path)") else { return nil }
            return String(id.dropLast(schema.path.count))
        }.first
    }

    /// Generates the Swift code of the plan's events.
    ///
    /// - Throws: ``ScaffoldError``, `invalidPlan`, with every issue: conflicting names, schemas that cannot be
    ///   translated.
    func code(access: Access) throws(ScaffoldError) -> CodeGenerator {
        do throws(CodegenError) { return try CodeGenerator(after, access: access) } catch {
            let name = PlanSchema.identity(ofPath: added.path)?.name ?? ""
            throw ScaffoldError(
                .invalidPlan,
                "cannot generate Swift code with \(name): choose another name, or correct the schemas\n"
                    + error.message, underlyingError: error)
        }
    }

    /// Returns the new schema, and the new line in `examples/good`, if any.
    func newFiles() -> [ScaffoldFile] {
        [added, line].compactMap { $0 }.map {
            ScaffoldFile(new: after.location(of: $0.path), String(decoding: $0.bytes, as: UTF8.self))
        }
    }

    /// Returns the plan's generated pages that change. A plan with schemas but without pages gets none, and files of
    /// other origin are left unchanged.
    func pages() -> [ScaffoldFile] {
        let pages = PlanPage.files(of: plan)
        guard hasPages else { return [] }
        return pages.compactMap { page in
            let previous = before.file(page.path)?.bytes
            guard previous != page.bytes else { return nil }
            return ScaffoldFile(derived: after.location(of: page.path), from: previous, to: page.bytes)
        }
    }

    /// Whether the plan has generated pages, or gets them.
    var hasPages: Bool {
        let present = PlanPage.files(of: plan).compactMap { before.file($0.path) }
        return present.isEmpty ? !before.hasSchemas : present.allSatisfy(PlanPage.isWritten)
    }

    /// Whether the plan has a lock file for published schemas.
    var hasLock: Bool { before.file(PlanLock.path) != nil }

    /// Returns the lock with the new schema added.
    ///
    /// - Throws: ``ScaffoldError``, `invalidPlan`, if the lock cannot be read.
    func lock() throws(ScaffoldError) -> ScaffoldFile {
        let location = after.location(of: PlanLock.path)
        let previous = before.file(PlanLock.path)?.bytes
        do throws(PlanLockError) {
            let lock = try PlanLock(text: previous ?? [])
            let text = lock.adding(PlanFolder(name: after.name, files: [added])).text
            return ScaffoldFile(derived: location, from: previous, to: Array(text.utf8))
        } catch { throw ScaffoldError(.invalidPlan, "\(location): \(error)", underlyingError: error) }
    }
}
