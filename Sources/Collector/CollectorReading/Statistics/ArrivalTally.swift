internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import EventQuery
internal import GRDB

/// Counts the lines of batches, for one transaction.
struct ArrivalTally {
    private(set) var texts: Texts
    private var arrivals: [Arrival: Int] = [:]
    private var minutes: [Minute: Int] = [:]
    private var seen: [Int64: ClosedRange<Int64>] = [:]
    private var installs: [String: Install] = [:]
    private var newestMinute: Int64 = 0
    /// The name of the key of the batch that is being counted.
    private var key = ""

    private struct Arrival: Hashable {
        var hour: Int64
        var event: Int64
        var schema: Int64
        var app: Int64
        var outcome: Int
        var rule: Int64
    }

    private struct Minute: Hashable {
        var minute: Int64
        var event: Int64
    }

    static let keptMinutes: Int64 = 180

    init(texts: Texts) { self.texts = texts }

    /// Counts a batch; what does not need a sum is written immediately.
    ///
    /// - Parameter key: The name of the key with which it was sent; nil if it is unknown.
    mutating func add(_ batch: BatchFacts, key: String?, _ db: Database) throws {
        self.key = key ?? ArrivalStatistics.otherName
        let received = batch.receivedAt.microseconds
        var app = try addLines(of: batch, db)
        for (rejection, bytes) in batch.rejected {
            let line = bytes.map { LineNames($0) }
            app = try app ?? line?.app.map { try appID($0, at: received, db) }
            try add(
                (line?.name ?? "", line?.schema ?? ""), app: line?.app ?? "", outcome: .rejected,
                rule: Self.rule(rejection),
                at: received, db)
        }
        try addSpan(of: batch, app: app, db)
        let times = batch.times
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO deliveries
                    (receipt, install, received, sent, first, last, oldest, newest, lines, attempts)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                """
        ).execute(arguments: [
            batch.receipt, installs[batch.installID]?.id, received, batch.sentAt?.microseconds,
            batch.seqs?.lowerBound, batch.seqs?.upperBound, times?.lowerBound.microseconds,
            times?.upperBound.microseconds, batch.lines,
        ])
    }

    /// Counts the accepted lines.
    ///
    /// - Returns: The app of the last one; nil without lines.
    private mutating func addLines(of batch: BatchFacts, _ db: Database) throws -> Int64? {
        // Lines with equal app, schema and outcome are counted together.
        var counts = [AppLine: Int]()
        var last = ""
        batch.forEachLine { schema, isValidated, bytes in
            last = LineNames.app(of: bytes, isLike: last)
            counts[AppLine(app: last, schema: schema, isValidated: isValidated), default: 0] += 1
        }
        for (line, count) in counts {
            let schema = batch.schemas[line.schema]
            try add(
                (String(schema.prefix { $0 != "/" }), schema), app: line.app,
                outcome: line.isValidated ? .accepted : .unvalidated,
                rule: "", at: batch.receivedAt.microseconds, count: count, db)
        }
        return batch.lines == 0 ? nil : try appID(last, at: batch.receivedAt.microseconds, db)
    }

    private mutating func appID(_ app: String, at time: Int64, _ db: Database) throws -> Int64 {
        try texts.id(app, .app, on: time / microsecondsPerDay, or: key, in: db)
    }

    private struct AppLine: Hashable {
        var app: String
        var schema: Int
        var isValidated: Bool
    }

    private mutating func add(
        _ names: (event: String, schema: String), app: String, outcome: ArrivalOutcome, rule: String,
        at time: Int64, count: Int = 1, _ db: Database
    ) throws {
        let day = time / microsecondsPerDay
        let event = try texts.id(names.event, .other, on: day, in: db)
        let arrival = Arrival(
            hour: time / microsecondsPerHour, event: event, schema: try texts.id(names.schema, .other, on: day, in: db),
            app: try appID(app, at: time, db), outcome: outcome.rawValue,
            rule: try texts.id(rule, .other, on: day, in: db))
        arrivals[arrival, default: 0] += count
        let minute = time / microsecondsPerMinute
        minutes[Minute(minute: minute, event: event), default: 0] += count
        newestMinute = max(newestMinute, minute)
        let known = seen[event] ?? time...time
        seen[event] = min(known.lowerBound, time)...max(known.upperBound, time)
    }

    /// A rule in one text: `schema: must be at least 1 (/properties/page/minimum)`. Messages contain no values of
    /// events.
    static func rule(_ rejection: Receipt.Rejection) -> String {
        let rule = "\(rejection.code): \(rejection.message)"
        return rejection.schemaPath.isEmpty ? rule : "\(rule) (\(rejection.schemaPath))"
    }

    /// Notes the numbers that the batch is the first to account for.
    private mutating func addSpan(of batch: BatchFacts, app: Int64?, _ db: Database) throws {
        var install = try installs.removeValue(forKey: batch.installID) ?? Install(batch.installID, db)
        defer { installs[batch.installID] = install }
        guard batch.highest > install.highest else { return }
        let day = batch.receivedAt.microseconds / microsecondsPerDay
        let app = try app ?? install.span?.app ?? Texts.stored("", db) ?? 0
        if install.span?.day != day || install.span?.app != app {
            try install.write(db)
            install.span = Install.Span(first: install.highest + 1, day: day, app: app)
        }
        install.highest = batch.highest
    }

    /// An install's numbers, and those of its spans that starts last. Several batches are written together.
    private struct Install {
        struct Span {
            var first: Int64
            var day: Int64
            var app: Int64
        }

        let id: Int64
        var highest: Int64
        /// Ends with ``highest``.
        var span: Span?
        private var written: Int64

        /// Reads an install; a new one gets its row.
        init(_ installID: String, _ db: Database) throws {
            let known = try Row.fetchOne(
                try db.cachedStatement(sql: "SELECT id, highest FROM installs WHERE install = CAST(? AS TEXT)"),
                arguments: [ExactText(installID)])
            if let known {
                id = known[0]
                highest = known[1]
                span = try Row.fetchOne(
                    try db.cachedStatement(
                        sql: "SELECT first, day, app FROM spans WHERE install = ? ORDER BY first DESC LIMIT 1"),
                    arguments: [id]
                ).map { Span(first: $0[0], day: $0[1], app: $0[2]) }
            } else {
                try db.execute(
                    sql: "INSERT INTO installs (install, highest) VALUES (CAST(? AS TEXT), 0)",
                    arguments: [ExactText(installID)])
                id = db.lastInsertedRowID
                highest = 0
            }
            written = highest
        }

        mutating func write(_ db: Database) throws {
            guard highest > written, let span else { return }
            try db.cachedStatement(
                sql: """
                    INSERT INTO spans (install, first, last, day, app) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET last = excluded.last
                    """
            ).execute(arguments: [id, span.first, highest, span.day, span.app])
            try db.cachedStatement(sql: "UPDATE installs SET highest = ? WHERE id = ?")
                .execute(arguments: [highest, id])
            written = highest
        }
    }

    /// Adds the sums to the database.
    mutating func write(_ db: Database) throws {
        for id in installs.keys { try installs[id]?.write(db) }
        for (arrival, count) in arrivals {
            try db.cachedStatement(
                sql: """
                    INSERT INTO arrivals (hour, event, schema, app, outcome, rule, count) VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """
            ).execute(arguments: [
                arrival.hour, arrival.event, arrival.schema, arrival.app, arrival.outcome, arrival.rule, count,
            ])
        }
        for (minute, count) in minutes where minute.minute > newestMinute - Self.keptMinutes {
            try db.cachedStatement(
                sql: """
                    INSERT INTO minutes (minute, event, count) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """
            ).execute(arguments: [minute.minute, minute.event, count])
        }
        try db.execute(
            sql: "DELETE FROM minutes WHERE minute <= ?", arguments: [newestMinute - Self.keptMinutes])
        for (event, times) in seen {
            try db.cachedStatement(
                sql: """
                    INSERT INTO events (event, first_seen, last_seen) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen),
                        last_seen = max(last_seen, excluded.last_seen)
                    """
            ).execute(arguments: [event, times.lowerBound, times.upperBound])
        }
    }
}

struct LineNames {
    private(set) var name = ""
    private(set) var schema = ""
    private(set) var app: String?

    private static let scanner = EventLineScanner(.schema)
    private static let appPath = EventPath(members: "context", "app")

    /// Reads a line that may be any bytes.
    init(_ line: [UInt8]) {
        line.withUnsafeBytes { bytes in
            // A line that cannot be scanned counts without a name, schema and app.
            guard let line = try? Self.scanner.scan(bytes) else { return }
            name = line.text(line.name) ?? ""
            schema = line.text(line.schema) ?? ""
            app = Self.app(of: bytes, isLike: "")
        }
    }

    /// The app of a line; empty if it has none.
    ///
    /// - Parameter known: The app of the previous line, which is usually the same.
    static func app(of line: UnsafeRawBufferPointer, isLike known: String) -> String {
        guard case .text(let text)? = EventLine(bytes: line).value(at: appPath) else { return "" }
        if text.elementsEqual(known.utf8) { return known }
        return EventLine.text(Array(text)) ?? ""
    }
}
