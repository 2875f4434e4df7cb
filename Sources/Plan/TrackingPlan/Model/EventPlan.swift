internal import EventModel
package import JSONSchema

/// The events of a tracking plan with their versions, read from a folder such as `Schemas`.
///
/// ```text
/// Schemas/container/1-0-0.json             the envelope around every event
/// Schemas/events/<name>/<version>.json     one event, one version (MODEL-REVISION-ADDITION)
/// Schemas/sets.json                        of an app: the selected optional sets of the SDK, see EventSet
/// Schemas/examples/good/*.jsonl            lines that must be valid
/// Schemas/examples/bad/*.jsonl             lines that must be invalid
/// Schemas/pages.json                       the pages of an app: see ``PlannedPages``
/// Schemas/unplanned.json                   events that may be sent without a schema
/// ```
public struct EventPlan: Sendable {
    /// The versions of the container, the oldest first. An app's own folder has none: use ``adding(_:)`` to add it to a
    /// plan with a container.
    public let containers: [PlanSchema]
    /// The versions of the events, by name, the oldest first.
    public let events: [PlanSchema]
    /// The pages of the app; nil if the plan doesn't list pages, in which case pages are not checked.
    public let pages: PlannedPages?
    /// The events that may be sent without a schema; nil if the plan doesn't list any.
    package let unplanned: UnplannedList?

    /// Reads the schemas of a folder. Other files, such as examples and lock files, are ignored.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` and every error, or if there is neither a schema nor a
    ///   `pages.json` or `unplanned.json`.
    public init(_ folder: PlanFolder) throws(PlanError) {
        try folder.requireSchemas()
        let schemas = try Self.schemas(folder)
        let plan = EventPlan(
            schemas, pages: try PlannedPages.read(folder),
            unplanned: try UnplannedList.read(folder, planned: Self.names(schemas)))
        if plan.hasContainer, folder.file(PlanFolder.setsPath) != nil {
            throw PlanError(
                .notASchema,
                "\(folder.location(of: PlanFolder.setsPath)): a plan with its own container cannot select sets: copy their "
                    + "schemas into events/")
        }
        self = plan
    }

    /// Whether the plan can check lines: it has a schema for the envelope.
    public var hasContainer: Bool { !containers.isEmpty }

    /// Makes a plan from schemas in any order.
    init(_ schemas: [PlanSchema], pages: PlannedPages? = nil, unplanned: UnplannedList? = nil) {
        func ordered(_ schemas: [PlanSchema]) -> [PlanSchema] {
            schemas.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
        }
        containers = ordered(schemas.filter { $0.path.hasPrefix("container/") })
        events = ordered(schemas.filter { $0.path.hasPrefix("events/") })
        self.pages = pages
        self.unplanned = unplanned
    }

    /// Returns the names of the events that schemas describe.
    private static func names(_ schemas: [PlanSchema]) -> Set<String> {
        Set(schemas.filter { $0.path.hasPrefix("events/") }.map(\.name))
    }

    /// Returns the schemas of a folder, with or without a container.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` and every error.
    static func schemas(_ folder: PlanFolder) throws(PlanError) -> [PlanSchema] {
        var schemas: [PlanSchema] = []
        var issues: [String] = []
        for file in folder.files where Self.isSchema(file.path) {
            do throws(PlanError) { schemas.append(try PlanSchema(file, in: folder)) } catch {
                issues.append(error.message)
            }
        }
        guard issues.isEmpty else { throw PlanError(.notASchema, issues.joined(separator: "\n")) }
        return schemas
    }

    /// Returns whether a path is in one of the folders for schemas.
    public static func isSchema(_ path: String) -> Bool {
        (path.hasPrefix("events/") || path.hasPrefix("container/")) && path.hasSuffix(".json")
    }

    /// The newest version of each event, by name.
    public var newest: [PlanSchema] {
        var found: [PlanSchema] = []
        for schema in events {
            if found.last?.name == schema.name { found.removeLast() }
            found.append(schema)
        }
        return found
    }

    /// Returns the versions of one event, the oldest first.
    public func versions(of name: String) -> [PlanSchema] { events.filter { $0.name == name } }

    /// The models of the container, the newest first.
    var containerModels: [Int] {
        containers.reversed().map(\.version.model).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension EventPlan {
    /// The SDK's plan: its container and the five standard events. Reads no file.
    public static let standard: EventPlan = {
        let folder = PlanFolder(
            files: StandardSchemas.files.map { PlanFile(path: $0.path, bytes: Array($0.text.utf8)) })
        // The files were read at generation time, and a test reads them again, so this cannot fail.
        return (try? EventPlan(folder)) ?? EventPlan([])
    }()

    /// Returns this plan with the schemas, pages and unplanned events of an app's folder, which needs no container.
    /// Optional sets that the folder selects in `sets.json` are added, too, see ``EventSet``.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` for an invalid schema, for a version that this plan has with
    ///   different content (a published version never changes), and for a page that this plan has in another form.
    public func adding(_ folder: PlanFolder) throws(PlanError) -> EventPlan {
        var all = containers + events
        var issues: [String] = []
        let picked = try folder.eventSets().flatMap(\.schemas)
        for schema in try picked + Self.schemas(folder) {
            guard let known = all.first(where: { $0.path == schema.path }) else {
                all.append(schema)
                continue
            }
            if known.document.bytes != schema.document.bytes {
                issues.append(
                    "\(folder.location(of: schema.path)): \(schema.reference) is already in the plan with different content: give "
                        + "the event another name or version")
            }
        }
        var pages = self.pages
        if let own = try PlannedPages.read(folder) {
            let known = pages?.pages ?? []
            for page in own.pages where known.contains(where: { $0.name == page.name && $0 != page }) {
                issues.append(
                    "\(folder.location(of: PlannedPages.path)): /x-pages/\(page.name): the page is already in the plan in "
                        + "another form: give it another name")
            }
            let new = own.pages.filter { page in !known.contains { $0.name == page.name } }
            pages = PlannedPages(known + new, typeName: own.typeName)
        }
        guard issues.isEmpty else { throw PlanError(.notASchema, issues.joined(separator: "\n")) }
        let own = try UnplannedList.read(folder, planned: Self.names(all))
        if let event = unplanned?.events.first(where: { Self.names(all).contains($0.name) }) {
            throw PlanError(
                .notASchema, "\(folder.name): \(event.name) is an unplanned event of the plan: remove one of them")
        }
        let known = unplanned?.events ?? []
        let new = (own?.events ?? []).filter { event in !known.contains { $0.name == event.name } }
        let isListed = own != nil || unplanned != nil
        return EventPlan(all, pages: pages, unplanned: isListed ? UnplannedList(events: known + new) : nil)
    }
}

extension CompiledPlan {
    /// The SDK's plan, compiled once per process.
    public static let standard: CompiledPlan? = {
        // A test compiles it, so this cannot fail.
        try? CompiledPlan(EventPlan.standard)
    }()
}

extension EventPlan {
    /// The schemas of the plan with their references, each document under its path.
    package var tree: SchemaTree { SchemaTree((containers + events).map { ($0.path, $0.document) }) }
}
