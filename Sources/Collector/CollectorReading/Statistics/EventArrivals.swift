internal import CollectorStore
package import EventModel
internal import GRDB

/// What has arrived of an event.
package struct EventArrivals: Equatable, Sendable {
    /// Received lines by outcome.
    package struct Counts: Equatable, Sendable {
        package internal(set) var accepted = 0
        package internal(set) var unvalidated = 0
        package internal(set) var rejected = 0

        package var all: Int { accepted + unvalidated + rejected }

        mutating func add(_ outcome: ArrivalOutcome, _ count: Int) {
            switch outcome {
            case .accepted: accepted += count
            case .unvalidated: unvalidated += count
            case .rejected: rejected += count
            }
        }
    }

    /// The event's name; empty for rejected lines without a readable name.
    package let name: String
    package internal(set) var counts = Counts()
    package internal(set) var schemas: [String: Counts] = [:]
    /// By the version of the app, such as `Shop 1.2`; empty if the line does not name it.
    package internal(set) var apps: [String: Counts] = [:]
    /// Rejected lines by rule and version of the app. A rule is the rejection's code and message, and the location in
    /// the schema if a schema was used.
    package internal(set) var rules: [String: [String: Int]] = [:]
    /// When a line was received first and last, in or before the period.
    package let firstSeen: EventTime
    package let lastSeen: EventTime
    /// The received lines of the last ``minuteCount`` minutes, oldest first. The last minute is the current one.
    package internal(set) var minutes = [Int](repeating: 0, count: minuteCount)

    package static let minuteCount = 60
}

extension ArrivalStatistics {
    /// The events that were ever received, by name, with the counts of the hours since a time.
    ///
    /// May block for the disk: call it from a thread that may block.
    ///
    /// - Parameters:
    ///   - start: Counts begin with the hour of this time.
    ///   - now: The end of ``EventArrivals/minutes``.
    /// - Throws: `StoreError`, `DatabaseError`.
    package func events(since start: EventTime, now: EventTime) throws -> Counted<[EventArrivals]> {
        try reading { db in
            var events: [Int64: EventArrivals] = [:]
            let seen = try Row.fetchAll(
                db,
                sql: """
                    SELECT event, CAST(text AS BLOB), first_seen, last_seen FROM events JOIN texts ON texts.id = events.event
                    """)
            for row in seen {
                events[row[0]] = EventArrivals(
                    name: row.text(1), firstSeen: .init(microseconds: row[2]), lastSeen: .init(microseconds: row[3]))
            }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT a.event, CAST(s.text AS BLOB), CAST(p.text AS BLOB), a.outcome, CAST(r.text AS BLOB), sum(a.count)
                    FROM arrivals a
                    JOIN texts s ON s.id = a.schema JOIN texts p ON p.id = a.app JOIN texts r ON r.id = a.rule
                    WHERE a.hour >= ? GROUP BY a.event, a.schema, a.app, a.outcome, a.rule
                    """, arguments: [start.microseconds / microsecondsPerHour])
            while let row = try rows.next() {
                let event: Int64 = row[0]
                let schema = row.text(1)
                let app = row.text(2)
                let rule = row.text(4)
                guard let outcome = ArrivalOutcome(rawValue: row[3]) else { continue }
                let count: Int = row[5]
                events[event]?.counts.add(outcome, count)
                events[event]?.schemas[schema, default: .init()].add(outcome, count)
                events[event]?.apps[app, default: .init()].add(outcome, count)
                if outcome == .rejected { events[event]?.rules[rule, default: [:]][app, default: 0] += count }
            }
            let last = now.microseconds / microsecondsPerMinute
            let first = last - Int64(EventArrivals.minuteCount) + 1
            let minutes = try Row.fetchAll(
                db, sql: "SELECT event, minute, count FROM minutes WHERE minute BETWEEN ? AND ?",
                arguments: [first, last])
            for row in minutes { events[row[0]]?.minutes[Int((row[1] as Int64) - first)] = row[2] }
            return events.values.sorted { $0.name < $1.name }
        }
    }
}
