internal import EventModel
package import JSONSchema

/// A plan that is ready to check lines: every schema compiled, once.
///
/// It never changes: any number of threads may share one, each with a ``LineChecker`` of its own.
public final class CompiledPlan: Sendable {
    /// What it was made of.
    public let plan: EventPlan
    /// All its schemas, at ``uri(of:)``.
    package let schemas: SchemaSet
    /// The newest container of each model, the newest model first.
    let containers: [CompiledSchema]
    /// In the order of the plan's events.
    let events: [CompiledSchema]
    /// Places of events by what lines call them: `search/1-0-0`.
    let eventByReference: [String: Int]
    /// What the plan's pages ask of a `page-view`; nil if the plan doesn't list its pages.
    let pageRules: CompiledSchema?
    /// The places of the versions of `page-view` among the plan's events.
    let pageViews: Set<Int>
    /// Names of which there is an event in any version.
    let names: Set<String>

    /// Compiles a plan; formats are asserted.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` and every fault that was found, or if the plan has no container.
    public init(_ plan: EventPlan) throws(PlanError) {
        guard plan.hasContainer else {
            throw PlanError(
                .notASchema, "the plan has no container/1-0-0.json: add an app's events to EventPlan.standard")
        }
        self.plan = plan
        var set = SchemaSet()
        var issues: [String] = []
        for schema in plan.containers + plan.events {
            do throws(SchemaError) { try set.add(schema.document, at: Self.uri(of: schema)) } catch {
                issues.append("\(schema.path): \(error.message)")
            }
        }
        let pageView = plan.newest.first { $0.name == PlannedPages.eventName }
        if let pages = plan.pages, let pageView {
            let rules = PageRules(pages)
            do {
                try set.add(JSONDocument(rules.schema().utf8), at: PageRules.uri)
                try set.add(
                    JSONDocument(rules.schema(of: Self.uri(of: pageView)).utf8), at: Self.pageViewURI)
            } catch { issues.append("\(PlannedPages.path): \(error)") }
        }
        let schemas = set
        func compile(_ schema: PlanSchema, captures: [String] = []) -> CompiledSchema? {
            do throws(SchemaError) {
                return try schemas.compile(
                    Self.uri(of: schema), options: SchemaOptions(assertsFormats: true, captures: captures))
            } catch {
                issues.append("\(schema.path): \(error)")
                return nil
            }
        }
        self.schemas = schemas
        var newest: [PlanSchema] = []
        for container in plan.containers.reversed()
        where !newest.contains(where: { $0.version.model == container.version.model }) { newest.append(container) }
        containers = newest.compactMap { compile($0, captures: ContainerMember.allCases.map(\.rawValue)) }
        events = plan.events.compactMap { compile($0, captures: ["name"]) }
        var pageRules: CompiledSchema?
        if plan.pages != nil, pageView != nil {
            do throws(SchemaError) { pageRules = try schemas.compile(PageRules.uri) } catch {
                issues.append("\(PlannedPages.path): \(error)")
            }
        }
        self.pageRules = pageRules
        pageViews = Set(plan.events.indices.filter { plan.events[$0].name == PlannedPages.eventName })
        guard issues.isEmpty else { throw PlanError(.notASchema, issues.joined(separator: "\n")) }
        eventByReference = Dictionary(
            plan.events.enumerated().map { ($1.reference, $0) }, uniquingKeysWith: { first, _ in first })
        names = Set(plan.events.map(\.name))
    }

    /// Where a schema is found among ``schemas``.
    package static func uri(of schema: PlanSchema) -> String { schema.root[.id]?.string ?? "plan:/\(schema.path)" }

    /// Where the schema of a `page-view` on a page of the plan is found among ``schemas``, if the plan lists its pages.
    package static let pageViewURI = "plan:/page-view-on-a-planned-page.json"

    /// Where a schema is found among ``schemas`` that events of the plan satisfy: for `page-view` one that takes the plan's
    /// pages only.
    package func uriForEvents(of schema: PlanSchema) -> String {
        let isLimited = pageRules != nil && schema.path == plan.versions(of: PlannedPages.eventName).last?.path
        return isLimited ? Self.pageViewURI : Self.uri(of: schema)
    }
}

/// Members of a container that checking a line needs, and those that a collector wants to know of a valid one.
package enum ContainerMember: String, CaseIterable, Sendable {
    case schema, event, time, seq
    case installID = "install_id"
    case userID = "user_id"

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A few texts, found by their bytes without an allocation.
struct TextIndex {
    private let pool: [UInt8]
    private let ranges: [Range<Int>]
    /// What was found last: most lines repeat a few.
    private var last = 0

    init(_ texts: [String]) {
        var pool: [UInt8] = []
        ranges = texts.map { text in
            let start = pool.count
            pool += text.utf8
            return start..<pool.count
        }
        self.pool = pool
    }

    mutating func find(_ text: UnsafeRawBufferPointer) -> Int? {
        guard !ranges.isEmpty else { return nil }
        if isEqual(last, text[...]) { return last }
        for location in ranges.indices where isEqual(location, text[...]) {
            last = location
            return location
        }
        return nil
    }

    func isEqual(_ location: Int, _ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let range = ranges[location]
        guard range.count == text.count else { return false }
        return pool.withUnsafeBytes { $0[range].elementsEqual(text) }
    }
}
