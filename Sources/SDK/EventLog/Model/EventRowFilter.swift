package import EventModel

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

    /// As many names as SQLite takes in one statement without a thought; past them every name is let through.
    private static let mostNames = 100

    /// What follows `WHERE seq BETWEEN ? AND ?`, with the values to bind.
    var clauses: (sql: String, names: [String], times: [Int64]) {
        var sql = ""
        var times: [Int64] = []
        if let since {
            sql += " AND time >= ?"
            times.append(since.microseconds)
        }
        if let until {
            sql += " AND time < ?"
            times.append(until.microseconds)
        }
        let names = names.count > Self.mostNames ? [] : names
        if !names.isEmpty {
            sql +=
                " AND (" + names.map { Self.isPattern($0) ? "name GLOB ?" : "name = ?" }.joined(separator: " OR ") + ")"
        }
        return (sql, names, times)
    }

    private static func isPattern(_ name: String) -> Bool { name.utf8.contains { "*?[".utf8.contains($0) } }
}
