/// Preselects the rows of a log to save work. Rows that pass may still be unwanted.
package struct EventRowFilter: Sendable {
    /// Patterns of SQLite's `GLOB`. The name must match one of them; empty for any name.
    package var names: [String]
    /// The first time, inclusive.
    package var since: EventTime?
    /// The end time, exclusive.
    package var until: EventTime?

    /// Makes a filter.
    package init(names: [String] = [], since: EventTime? = nil, until: EventTime? = nil) {
        self.names = names
        self.since = since
        self.until = until
    }
}
