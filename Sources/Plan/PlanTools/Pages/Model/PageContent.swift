internal import JSONSchema
internal import TrackingPlan

/// What a page says about a plan, before any markup.
struct PageContent {
    /// The line around every event, in its newest version.
    let container: PageSection?
    /// The events by name, each in its newest version.
    let events: [PageSection]

    init(_ plan: EventPlan) {
        let documents = (plan.containers + plan.events).map { LintDocument($0.document, path: $0.path) }
        let table = PropertyTable(documents)
        container = PageSection(plan.containers, table)
        events = plan.newest.compactMap { PageSection(plan.versions(of: $0.name), table) }
    }

    /// `5 events`, with how many versions there are.
    var summary: String {
        let versions = events.reduce(0) { $0 + $1.history.count }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        return "\(count(events.count, "event")) in \(count(versions, "version"))"
    }
}
