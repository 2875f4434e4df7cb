internal import CollectorStore
internal import GRDB

/// The ids of texts in the database.
///
/// Names of the plan are kept for ever. Clients can send any number of other names, so they are limited, separately for
/// apps, and expire.
struct Texts: Sendable {
    /// The raw values are in the database.
    enum Kind: Int {
        /// Of the plan, of a key, or the collector's own.
        case kept
        /// An event, a schema or a rule.
        case other
        case app
    }

    /// The number of days after which a name that did not arrive expires.
    private static let days: Int64 = 7

    private let maximum: Int
    /// The names and the references of the plan's events.
    var planned: Set<String> = []
    private var known: [String: Known] = [:]
    /// The number of names of each kind.
    private var counts: [Kind: Int] = [:]

    private struct Known {
        var id: Int64
        var kind: Kind
        /// The last day on which the text arrived.
        var day: Int64
    }

    /// - Parameter maximum: The number of names of each kind that are not kept.
    init(maximum: Int) { self.maximum = maximum }

    /// Clears the cache.
    mutating func forget() {
        known = [:]
        counts = [:]
    }

    /// The id of a text that arrived on a day; that of another one if there are too many.
    mutating func id(
        _ text: String, _ kind: Kind, on day: Int64, or fallback: String = ArrivalStatistics.otherName,
        in db: Database
    ) throws -> Int64 {
        let text = Self.limited(text)
        if let found = try found(text, db) {
            if found.kind != .kept, found.day < day {
                try db.cachedStatement(sql: "UPDATE texts SET seen = ? WHERE id = ?").execute(arguments: [
                    day, found.id,
                ])
                known[text]?.day = day
            }
            return found.id
        }
        let kind = isKept(text) ? .kept : kind
        if kind != .kept, try count(kind, db) >= maximum { return try id(fallback, .kept, on: day, in: db) }
        try db.execute(
            sql: "INSERT INTO texts (text, kind, seen) VALUES (CAST(? AS TEXT), ?, ?)",
            arguments: [ExactText(text), kind.rawValue, day])
        known[text] = Known(id: db.lastInsertedRowID, kind: kind, day: day)
        counts[kind]? += 1
        return db.lastInsertedRowID
    }

    private func isKept(_ text: String) -> Bool {
        text.isEmpty || text == ArrivalStatistics.otherName || planned.contains(text)
    }

    private mutating func found(_ text: String, _ db: Database) throws -> Known? {
        if let found = known[text] { return found }
        let row = try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT id, kind, seen FROM texts WHERE text = CAST(? AS TEXT)"),
            arguments: [ExactText(text)])
        known[text] = row.map { Known(id: $0[0], kind: Kind(rawValue: $0[1]) ?? .other, day: $0[2]) }
        return known[text]
    }

    private mutating func count(_ kind: Kind, _ db: Database) throws -> Int {
        if let count = counts[kind] { return count }
        let count =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM texts WHERE kind = ?", arguments: [kind.rawValue]) ?? 0
        counts[kind] = count
        return count
    }

    /// Counts the names that did not arrive for a week as ``ArrivalStatistics/otherName``, and removes them.
    mutating func expire(on day: Int64, _ db: Database) throws {
        for name in planned {
            try db.cachedStatement(sql: "UPDATE texts SET kind = 0 WHERE text = ? AND kind != 0").execute(arguments: [
                name
            ])
        }
        let expired = "(SELECT id FROM texts WHERE kind != 0 AND seen < \(day - Self.days))"
        defer { forget() }
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS \(expired)") == true else { return }
        let other = try id(ArrivalStatistics.otherName, .kept, on: day, in: db)
        func merged(_ column: String) -> String { "iif(\(column) IN \(expired), \(other), \(column))" }
        let isExpired = ["event", "schema", "app", "rule"].map { "\($0) IN \(expired)" }.joined(separator: " OR ")
        try db.execute(
            sql: """
                INSERT INTO arrivals (hour, event, schema, app, outcome, rule, count)
                    SELECT hour, \(merged("event")), \(merged("schema")), \(merged("app")), outcome, \(merged("rule")),
                        sum(count)
                    FROM arrivals WHERE \(isExpired) GROUP BY 1, 2, 3, 4, 5, 6
                    ON CONFLICT DO UPDATE SET count = count + excluded.count;
                DELETE FROM arrivals WHERE \(isExpired);
                INSERT INTO events (event, first_seen, last_seen)
                    SELECT \(other), first_seen, last_seen FROM events WHERE event IN \(expired)
                    ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen),
                        last_seen = max(last_seen, excluded.last_seen);
                DELETE FROM events WHERE event IN \(expired);
                DELETE FROM minutes WHERE event IN \(expired);
                UPDATE spans SET app = \(other) WHERE app IN \(expired);
                DELETE FROM texts WHERE id IN \(expired);
                """)
    }

    static func stored(_ text: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM texts WHERE text = CAST(? AS TEXT)"),
            arguments: [ExactText(limited(text))])
    }

    private static func limited(_ text: String) -> String {
        guard text.utf8.count > ArrivalStatistics.maximumTextLength else { return text }
        // A truncated character becomes a replacement character.
        return String(decoding: text.utf8.prefix(ArrivalStatistics.maximumTextLength - 3), as: UTF8.self) + "…"
    }
}
