internal import DeliveryProtocol
internal import EventModel
internal import GRDB
internal import Primitives

extension BatchStore {
    /// The maximum number of batches per query, before their lines are read.
    private static let batchesAtOnce = 64

    /// Reads lines after a cursor. The index finds the batches; only batches that may have a selected line are
    /// read. Lines that were reported as erased are left out.
    ///
    /// The same cursor and selection return the same lines, except for lines that retention or an erasure removed.
    /// May block for the disk, never for writers: call it from a thread that may block.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of lines, at least 1.
    ///   - byteLimit: The size in bytes at which a page ends.
    /// - Throws: ``StoreError`` with `damaged` or `indexFailed`.
    package func lines(
        after cursor: LineCursor, _ selection: LineSelection = .init(), limit: Int = 1000, byteLimit: Int = 8 << 20
    ) throws(StoreError) -> LinePage {
        do {
            var page = LinePage(lines: [], next: cursor, hasMore: false)
            var bytes = 0
            while true {
                let batches = try candidates(after: page.next, selection)
                for batch in batches {
                    let frame: BatchFrame
                    do { frame = try read(batch.receipt, at: batch.location) } catch is Vanished {
                        // Retention or an erasure removed it after the query.
                        page.next = LineCursor(receipt: batch.receipt, seq: EventRecord.highestSeq)
                        continue
                    }
                    let erased = try index.read { try Self.erased(batch.install, receipt: batch.receipt, $0) }
                    let selected = selected(in: frame, batch, without: erased, after: page.next, selection)
                    for (index, line) in selected {
                        guard page.lines.count < max(1, limit), bytes < byteLimit else {
                            page.hasMore = true
                            return page
                        }
                        let facts = frame.lines[index]
                        page.next = LineCursor(receipt: batch.receipt, seq: facts.seq)
                        bytes += line.count
                        page.lines.append(
                            StoredLine(
                                cursor: page.next, installID: frame.installID,
                                time: .init(microseconds: facts.time),
                                receivedAt: .init(microseconds: frame.receivedAt),
                                sentAt: frame.sentAt.map { .init(microseconds: $0) },
                                isValidated: facts.isValidated,
                                bytes: line))
                    }
                    page.next = LineCursor(receipt: batch.receipt, seq: EventRecord.highestSeq)
                }
                if batches.count < Self.batchesAtOnce { return page }
            }
        } catch {
            throw .index(folder.index, error)
        }
    }

    struct Candidate {
        var receipt: Int64
        var location: FrameLocation
        /// The row's id.
        var install: Int64
    }

    /// A batch is no longer at the indexed location.
    struct Vanished: Error {}

    private func candidates(after cursor: LineCursor, _ selection: LineSelection) throws -> [Candidate] {
        // The batch that contains the cursor may have more lines.
        let first = cursor.seq < EventRecord.highestSeq ? cursor.receipt : cursor.receipt + 1
        var joins = ""
        var conditions: [String] = ["b.receipt >= ?", "b.lines > 0"]
        var joined: StatementArguments = []
        var arguments: StatementArguments = [first]
        if let user = selection.user {
            joins += " JOIN batch_users u ON u.receipt = b.receipt AND u.user = ?"
            joined += [LineDigest.userKey(user)]
        }
        if let install = selection.installID {
            conditions.append("b.install = (SELECT id FROM installs WHERE install = CAST(? AS TEXT))")
            arguments += [ExactText(install)]
        }
        if let schema = selection.schema {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM batch_schemas s WHERE s.receipt = b.receipt
                    AND s.schema IN (SELECT id FROM schemas WHERE CAST(? AS TEXT) IN (schema, name)))
                """)
            arguments += [ExactText(schema)]
        }
        if let times = selection.times {
            conditions.append("b.max_time >= ? AND b.min_time <= ?")
            arguments += [times.lowerBound.microseconds, times.upperBound.microseconds]
        }
        let sql = """
            SELECT b.receipt, b.segment, b.offset, b.length, b.install FROM batches b\(joins)
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY b.receipt LIMIT \(Self.batchesAtOnce)
            """
        return try index.read { db in
            try Row.fetchAll(db, sql: sql, arguments: joined + arguments).map { row in
                Candidate(
                    receipt: row[0], location: FrameLocation(segment: row[1], offset: row[2], length: row[3]),
                    install: row[4])
            }
        }
    }

    /// The erased numbers among those of a batch.
    static func erased(_ install: Int64, receipt: Int64, _ db: Database) throws -> [ClosedRange<Int64>] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT n.first, n.last FROM numbers n
                WHERE n.install = ? AND n.fate = \(NumberFate.erased.rawValue) AND EXISTS (
                    SELECT 1 FROM runs r WHERE r.install = n.install AND r.receipt = ? AND r.first <= n.last
                        AND r.last >= n.first)
                ORDER BY n.first
                """)
        return try Row.fetchAll(statement, arguments: [install, receipt]).map { $0[0]...$0[1] }
    }

    /// - Parameter reader: For several batches whose locations are from the same query; nil to open their segment.
    /// - Throws: ``Vanished``; ``StoreError`` with `damaged`.
    func read(_ receipt: Int64, at location: FrameLocation, with reader: FrameReader? = nil) throws -> BatchFrame {
        do { return try (reader ?? FrameReader(folder, options.files)).batch(receipt, at: location) } catch {
            // The segment was rewritten or removed in the meantime; otherwise it is damaged.
            return try index.swap.reading { try readAgain(receipt) }
        }
    }

    private func readAgain(_ receipt: Int64) throws -> BatchFrame {
        let now = try index.read { db in
            try Row.fetchOne(
                db, sql: "SELECT segment, offset, length FROM batches WHERE receipt = ?", arguments: [receipt]
            )
            .map { FrameLocation(segment: $0[0], offset: $0[1], length: $0[2]) }
        }
        guard let now else { throw Vanished() }
        return try FrameReader(folder, options.files).batch(receipt, at: now)
    }

    private func selected(
        in frame: BatchFrame, _ batch: Candidate, without erased: [ClosedRange<Int64>], after cursor: LineCursor,
        _ selection: LineSelection
    ) -> [(index: Int, bytes: [UInt8])] {
        let user = selection.user.map { wanted in frame.users.map { $0 == wanted } }
        let schema = selection.schema.map { wanted in
            frame.schemas.map { $0 == wanted || $0.hasPrefix(wanted + "/") }
        }
        var selected: [(index: Int, bytes: [UInt8])] = []
        frame.forEachLine { index, bytes in
            let line = frame.lines[index]
            guard batch.receipt > cursor.receipt || line.seq > cursor.seq, user?[line.user] ?? true,
                schema?[line.schema] ?? true,
                selection.times?.contains(EventTime(microseconds: line.time)) ?? true,
                erased.isEmpty || !NumberRanges.contains(erased, line.seq)
            else { return }
            selected.append((index, Array(bytes)))
        }
        return selected
    }
}
