internal import EventModel
package import JSONSchema

/// A plan with compiled schemas, ready to check lines.
///
/// Immutable: any number of threads may share a compiled plan, each with its own ``LineChecker``.
public final class CompiledPlan: Sendable {
    /// The source of the compiled plan.
    public let plan: EventPlan
    /// All schemas of the plan, each at ``uri(of:)``.
    package let schemas: SchemaSet
    /// The newest container of each model, the newest model first.
    let containers: [CompiledSchema]
    /// The schemas of events, in the order of the plan's events.
    let events: [CompiledSchema]
    /// The index of each event by its reference in lines: `search/1-0-0`.
    let eventByReference: [String: Int]
    /// The requirements of the plan's pages on a `page-view`; nil if the plan doesn't list its pages.
    let pageRules: CompiledSchema?
    /// The indexes of the `page-view` versions among the plan's events.
    let pageViews: Set<Int>
    /// The names of all events, in any version.
    let names: Set<String>

    /// Compiles a plan. Formats are validated, not only annotated.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` and every error, or if the plan has no container.
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
        containers = newest.compactMap { compile($0, captures: ContainerMember.allCases.map(\.member.rawValue)) }
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

    /// Returns the URI of a schema in ``schemas``.
    package static func uri(of schema: PlanSchema) -> String { schema.root[.id]?.string ?? "plan:/\(schema.path)" }

    /// The URI in ``schemas`` of the schema for `page-view` events on listed pages, if the plan lists its pages.
    package static let pageViewURI = "plan:/page-view-on-a-planned-page.json"

    /// Returns the URI in ``schemas`` of the schema that valid events satisfy; for `page-view` a schema that accepts
    /// only the plan's pages.
    package func uriForEvents(of schema: PlanSchema) -> String {
        let isLimited = pageRules != nil && schema.path == plan.versions(of: PlannedPages.eventName).last?.path
        return isLimited ? Self.pageViewURI : Self.uri(of: schema)
    }
}

/// The envelope members that checking a line needs, and those that a collector reads from a valid line.
package enum ContainerMember: CaseIterable, Sendable {
    case schema, event, time, seq, installID, userID

    var member: EnvelopeMember {
        switch self {
        case .schema: .schema
        case .event: .event
        case .time: .time
        case .seq: .seq
        case .installID: .installID
        case .userID: .userID
        }
    }

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A small set of texts with a lookup by bytes, without allocation.
struct TextIndex {
    private let pool: [UInt8]
    private let ranges: [Range<Int>]
    /// The last result, since most lines repeat a few texts.
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
