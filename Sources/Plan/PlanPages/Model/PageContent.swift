internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// What a page says about a plan, before any markup.
struct PageContent {
    /// The line around every event, in its newest version.
    let container: PageSection?
    /// The events by name, each in its newest version.
    let events: [PageSection]
    /// The app's pages that a screen shows, in the order of the list; none if the plan lists none.
    let pages: [PlannedPage]

    init(_ plan: EventPlan) {
        let table = PropertyTable(plan.containers + plan.events)
        container = PageSection(plan.containers, table)
        events = plan.newest.compactMap { PageSection(plan.versions(of: $0.name), table) }
        pages = plan.pages?.pages.filter { !$0.isDeprecated } ?? []
    }

    /// `5 events`, with how many versions there are.
    var summary: String {
        let versions = events.reduce(0) { $0 + $1.history.count }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let listed = pages.isEmpty ? "" : ", \(count(pages.count, "page"))"
        return "\(count(events.count, "event")) in \(count(versions, "version"))\(listed)"
    }
}

/// One event, or the container: its newest version, and how it came to be.
struct PageSection {
    /// The event's name, or `container`.
    let name: String
    /// The name of its place in a page; what begins with `_` is no event's.
    let anchor: String
    /// The newest version: `1-0-0`.
    let version: String
    /// Where its schema lies within the folder.
    let path: String
    /// What it is, as its schema says.
    let description: String
    /// The event's priority; nil if it is normal.
    let priority: String?
    /// The properties in the order of the schema, those of objects after the object.
    let rows: [PropertyRow]
    /// Why not all properties are among them; nil if they are.
    let cut: String?
    /// The examples of the schema.
    let examples: [JSONDocument.Value]
    /// The versions, the newest first.
    let history: [PageVersion]

    /// - Parameter versions: The oldest first; nil is the section of none.
    init?(_ versions: [PlanSchema], _ table: PropertyTable) {
        guard let newest = versions.last else { return nil }
        name = newest.name
        version = newest.version.description
        path = newest.path
        anchor = path.hasPrefix("container/") ? "_container" : name
        description = newest.root[.description]?.string ?? ""
        let priority = newest.root[.priority].flatMap(SchemaPriority.init) ?? .normal
        self.priority = priority == .normal ? nil : priority.rawValue
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
    /// `1-0-1`.
    let version: String
    /// The date of its publication, if its schema says so.
    let since: String?
    /// What differs from the version before; nil for the first.
    let changes: [PropertyChange]?
}
