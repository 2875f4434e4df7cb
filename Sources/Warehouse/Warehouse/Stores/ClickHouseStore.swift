internal import EventModel
internal import JSONLines

/// Two tables of ClickHouse: `events` and `numbers`; see ``ClickHouseTables``.
///
/// Each insert has a deduplication token, the block's id, so that an insert that is still running on the server is not
/// repeated. A token alone proves nothing: ClickHouse records it before the rows are visible, and keeps it after they
/// were deleted. Therefore a block in doubt is decided by the count and the hash of its rows.
package final class ClickHouseStore: WarehouseStore {
    private let client: ClickHouseClient

    package init(_ client: ClickHouseClient) { self.client = client }

    package var name: String { client.name }

    package func prepare(stream: String) throws(LoaderError) {
        try client.run("CREATE DATABASE IF NOT EXISTS \(client.database)", usesDatabase: false)
        for statement in ClickHouseTables.statements { try client.run(statement) }
        let known = try client.run("SELECT DISTINCT created FROM streams").compactMap { $0.first?.stringValue }
        if known.isEmpty {
            try client.run(
                "INSERT INTO streams SELECT {created:String}", parameters: ["created": Self.escaped(stream)])
        } else if known != [stream] {
            throw LoaderError.otherStream(name)
        }
    }

    package func write(_ block: Block, isInDoubt: Bool) throws(LoaderError) {
        for (table, groups) in [("events", block.events), ("numbers", block.numbers)] {
            let inserts = Self.byMonth(groups)
            guard !inserts.isEmpty else { continue }
            try write(inserts, of: block, to: table, isInDoubt: isInDoubt)
        }
    }

    /// Removes a user's events. If it is interrupted, call it again.
    ///
    /// - Parameter user: The exact `user_id`; not empty.
    /// - Returns: The number of removed events.
    /// - Throws: `LoaderError`.
    package func erase(user: String) throws(LoaderError) -> Int64 {
        let events = try count(user: user)
        // Rewrites the parts. ClickHouse removes the former parts about eight minutes later.
        try client.run(
            "ALTER TABLE events DELETE WHERE user_id = {user:String}", parameters: ["user": Self.escaped(user)],
            settings: ["mutations_sync": "2"])
        return events
    }

    /// Counts a user's events, also those that have the id only in the raw line.
    ///
    /// - Throws: `LoaderError`.
    package func count(user: String) throws(LoaderError) -> Int64 {
        let rows = try client.run(
            """
            SELECT count() FROM events
            WHERE user_id = {user:String} OR JSONExtractString(line, 'user_id') = {user:String}
            """, parameters: ["user": Self.escaped(user)])
        guard let count = rows.first?.first?.integerValue else {
            throw LoaderError(.rejected, "\(name): unexpected response to a count of a user's events")
        }
        return count
    }

    /// A value of a parameter, in which ClickHouse reads escapes.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
    }

    /// The rows of a month, which one insert adds completely or not at all.
    private struct Insert {
        /// Such as 201501.
        var month: String
        var count: Int64
        var hash: UInt64
        var text: [UInt8]
    }

    private static func byMonth(_ groups: [Block.RowGroup]) -> [Insert] {
        var inserts: [Insert] = []
        for group in groups {
            let month = EventTime(clampedSeconds: group.hour * 3600).rfc3339.prefix(7).filter { $0 != "-" }
            if inserts.last?.month == month {
                inserts[inserts.count - 1].count += group.count
                inserts[inserts.count - 1].hash &+= group.hash
                inserts[inserts.count - 1].text += group.text
            } else {
                inserts.append(Insert(month: month, count: group.count, hash: group.hash, text: group.text))
            }
        }
        return inserts
    }

    private func write(
        _ inserts: [Insert], of block: Block, to table: String, isInDoubt: Bool
    ) throws(LoaderError) {
        let expected = Content(
            count: inserts.reduce(0) { $0 + $1.count }, hash: inserts.reduce(0) { $0 &+ $1.hash })
        if !isInDoubt { return try insert(inserts, of: block, into: table, attempt: 1) }
        // The same token first: the former insert may still be running. If the rows are absent after that, the token was
        // recorded without them, and the attempt's number makes a new one.
        for attempt in 1...4 {
            let found = try content(of: block, in: table)
            if found == expected { return }
            if found.count > 0 {
                // An insert is complete or absent; this is one of several, or rows were changed by hand.
                try client.run(
                    "DELETE FROM \(table) WHERE block = {block:String}", parameters: ["block": block.id],
                    settings: ["mutations_sync": "2", "lightweight_deletes_sync": "2"])
            }
            try insert(inserts, of: block, into: table, attempt: found.count > 0 ? attempt + 1 : attempt)
        }
        throw LoaderError(
            .otherRows,
            "\(name): block \(block.id) has other rows in \(table) than the stream; 'trackctl reconcile' shows which"
        )
    }

    private func insert(
        _ inserts: [Insert], of block: Block, into table: String, attempt: Int
    ) throws(LoaderError) {
        for insert in inserts {
            try client.run(
                "INSERT INTO \(table) FORMAT JSONEachRow", data: insert.text,
                settings: ClickHouseTables.insertSettings.merging(
                    [
                        "insert_deduplication_token":
                            "\(block.id)/\(insert.month)\(attempt > 1 ? "/\(attempt)" : "")"
                    ], uniquingKeysWith: { $1 }))
        }
    }

    private struct Content: Equatable {
        var count: Int64
        var hash: UInt64
    }

    /// What a table has of a block.
    private func content(of block: Block, in table: String) throws(LoaderError) -> Content {
        let hash = table == "events" ? ClickHouseTables.rangeHash : "toUInt64(0)"
        let groups = table == "events" ? block.events : block.numbers
        let first = groups.first?.hour ?? 0
        let last = groups.last?.hour ?? 0
        let rows = try client.run(
            """
            SELECT count(), toString(\(hash)) FROM \(table)
            WHERE block = {block:String} AND received_at >= {first:DateTime} AND received_at < {end:DateTime}
            """,
            parameters: [
                "block": block.id, "first": "\(first * 3600)", "end": "\((last + 1) * 3600)",
            ])
        guard let row = rows.first, row.count == 2, let count = row[0].integerValue,
            let hash = row[1].stringValue.flatMap({ UInt64($0) })
        else { throw LoaderError(.rejected, "\(name): unexpected response to a count of \(table)") }
        return Content(count: count, hash: hash)
    }
}
