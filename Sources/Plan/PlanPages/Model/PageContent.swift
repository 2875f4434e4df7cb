internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// The content of a page about a plan, before any markup.
struct PageContent {
    /// The envelope around every event, in its newest version.
    let container: PageSection?
    /// The events by name, each in its newest version.
    let events: [PageSection]
    /// The events of each purpose: analytics first, then by name, exempt last. Empty if all have the same purpose.
    let purposes: [(name: String, events: [PageSection])]
    /// The app's pages without deprecated ones, in the order of the list; empty if the plan lists none.
    let pages: [PlannedPage]

    init(_ plan: EventPlan) {
        let table = PropertyTable(plan.containers + plan.events)
        container = PageSection(plan.containers, table)
        let newest = plan.newest
        let isShown = newest.contains { $0.purpose != .analytics }
        events = newest.compactMap { PageSection(plan.versions(of: $0.name), table, showsPurpose: isShown) }
        purposes = Self.purposes(of: events)
        pages = plan.pages?.pages.filter { !$0.isDeprecated } ?? []
    }

    private static func purposes(of events: [PageSection]) -> [(name: String, events: [PageSection])] {
        let names = events.compactMap(\.purpose?.name)
        let order = PlanPurposes(names.map { Purpose($0) }).all + [.exempt]
        let found = order.map { purpose in (purpose.name, events.filter { $0.purpose?.name == purpose.name }) }
            .filter { !$0.1.isEmpty }
        return found.count > 1 ? found : []
    }

    /// The number of events, versions and pages, such as `5 events in 7 versions`.
    var summary: String {
        let versions = events.reduce(0) { $0 + $1.history.count }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let listed = pages.isEmpty ? "" : ", \(count(pages.count, "page"))"
        return "\(count(events.count, "event")) in \(count(versions, "version"))\(listed)"
    }
}

/// One event, or the container: its newest version, and its history.
struct PageSection {
    /// The event's name, or `container`.
    let name: String
    /// The name of its anchor in a page. Names that start with `_` are not events.
    let anchor: String
    /// The newest version: `1-0-0`.
    let version: String
    /// The path of its schema within the folder.
    let path: String
    let description: String
    /// The event's priority; nil if it is normal.
    let priority: String?
    /// The event's purpose, and the justification of an exempt event; nil if every event has the purpose analytics.
    let purpose: (name: String, justification: String?)?
    /// The properties in the order of the schema; members follow their object.
    let rows: [PropertyRow]
    /// Why some properties are missing; nil if none are.
    let cut: String?
    let examples: [JSONDocument.Value]
    /// The versions, the newest first.
    let history: [PageVersion]

    /// - Parameter versions: The versions, the oldest first. If empty, there is no section.
    init?(_ versions: [PlanSchema], _ table: PropertyTable, showsPurpose: Bool = false) {
        guard let newest = versions.last else { return nil }
        name = newest.name
        version = newest.version.description
        path = newest.path
        anchor = path.hasPrefix("container/") ? "_container" : name
        description = newest.root[.description]?.string ?? ""
        let priority = newest.root[.priority].flatMap(SchemaPriority.init) ?? .normal
        self.priority = priority == .normal ? nil : priority.rawValue
        let purpose = newest.purpose
        let justification = purpose == .exempt ? newest.root[.purposeJustification]?.string : nil
        self.purpose = showsPurpose ? (purpose.name, justification) : nil
        let all = versions.map { table.rows(of: $0.path) }
        rows = all.last?.rows ?? []
        cut = all.last?.reason
        examples = newest.root[.examples]?.elements ?? []
        history = versions.indices.reversed().map { index in
            PageVersion(
                version: versions[index].version.description, since: versions[index].root[.since]?.string,
                changes: index == 0 ? nil : PropertyChanges.between(all[index - 1], all[index]))
        }
    }
}

/// One version in the history of an event.
struct PageVersion {
    /// The version, such as `1-0-1`.
    let version: String
    /// The publication date, if the schema has one.
    let since: String?
    /// The changes since the previous version; nil for the first version.
    let changes: [PropertyChange]?
}
