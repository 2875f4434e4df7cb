/// Which rows of a log are worth reading. It only spares work: what it lets through may still be unwanted.
package struct EventRowFilter: Sendable {
    /// Patterns of SQLite's `GLOB`, of which the name matches one; empty for every name.
    package var names: [String]
    /// Inclusive.
    package var since: EventTime?
    /// Exclusive.
    package var until: EventTime?

    /// Makes a filter.
    package init(names: [String] = [], since: EventTime? = nil, until: EventTime? = nil) {
        self.names = names
        self.since = since
        self.until = until
    }
}
