internal import EventModel
internal import Foundation
package import GRDB

/// Copies everything that can be read from a damaged database to a new one.
///
/// Reads events by number, upward. On an error, it continues after the damage: reading by number reaches every page
/// whose path from the tree's root is intact. Missing numbers are recorded in the ledger as ``DropReason/damaged``.
package struct Salvage {
    private let old: Database
    private let db: Database
    /// The number of failed reads after which the steps grow: a database that is damaged everywhere must not keep an
    /// app from starting.
    private static let patience = 1 << 16

    /// Copies into an empty log of the current version, in one transaction.
    ///
    /// - Throws: Errors of the new database. Errors of the old database are not thrown.
    package static func copy(from old: DatabaseQueue?, into db: Database) throws {
        try db.inTransaction(.immediate) {
            // Without a transaction: ending a transaction on a damaged page fails.
            try old?.unsafeRead { old in
                let salvage = Salvage(old: old, db: db)
                try salvage.copyTables()
                try salvage.copyEvents()
            }
            return .commit
        }
    }

    private func copyTables() throws {
        let range = "BETWEEN 0 AND \(EventRecord.highestSeq)"
        // Copies each table separately, so that an unreadable table does not prevent copying the others.
        try copyInstall()
        // Names and counts that cannot be read are skipped.
        if let purposes = try? LogPurposes.all(old) { _ = try LogPurposes.add(purposes, db) }
        if let removed = try? Row.fetchOne(
            old,
            sql: "SELECT removed_count, removed_bytes FROM log WHERE removed_count \(range) AND removed_bytes \(range)")
        {
            try db.execute(
                sql: "UPDATE log SET removed_count = ?, removed_bytes = ?",
                arguments: StatementArguments(removed.databaseValues))
        }
        for (table, columns, rule) in [
            ("consumers", "name, acknowledged, checkpoint, state, kept_from", "acknowledged \(range)"),
            ("consumers", "name, acknowledged, checkpoint", "acknowledged \(range)"),  // with a damaged state
            ("kept", "consumer, first_seq, last_seq, is_retried", "first_seq \(range) AND last_seq \(range)"),
            (
                "generations", "number, install_id, secret, base, is_adopted, drops",
                "number > 0 AND base \(range) AND typeof(install_id) = 'text' AND length(secret) = 32"
            ),
            ("copies", "seq, consumer, id, time, name, line, purpose", "seq \(range) AND length(id) = 16"),
            (
                "dead_letters", "number, consumer, install_id, seq, time, attempts, reason, place, line, purpose",
                "seq \(range) AND attempts \(range)"
            ),
            (
                "ledger", "reason, consumer, first_seq, last_seq, count, first_time, last_time, change",
                "first_seq \(range) AND last_seq \(range) AND count \(range) AND change \(range)"
            ),
            (
                // With a damaged number of the change.
                "ledger", "reason, consumer, first_seq, last_seq, count, first_time, last_time",
                "first_seq \(range) AND last_seq \(range) AND count \(range)"
            ),
            (
                // With damaged times.
                "ledger", "reason, consumer, first_seq, last_seq, count",
                "first_seq \(range) AND last_seq \(range) AND count \(range)"
            ),
            ("consents", "user_id, consent, is_answered, number, person", "number \(range)"),
            // With a damaged number.
            ("consents", "user_id, consent", "true"),
            ("discards", "user_id, through_seq, reason", "through_seq \(range)"),
            ("discards", "user_id, through_seq", "through_seq \(range)"),
            (
                "answers", "number, time, key, is_granted, policy, app, purposes",
                "number \(range) AND length(key) = 16 AND is_granted IN (0, 1)"
            ),
            ("journal_drops", "journal, reason, count", "count \(range)"),
        ] {
            let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
            // Rows that cannot be read are lost with their table, or with its rest.
            guard let rows = try? Row.fetchCursor(old, sql: "SELECT \(columns) FROM \(table) WHERE \(rule)") else {
                continue
            }
            // The first unreadable row ends the loop; the rows after it are lost.
            while let row = try? rows.next() {
                // A damaged row violates a constraint of the new table and is lost.
                try? db.execute(
                    sql: "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(marks))",
                    arguments: StatementArguments(row.databaseValues))
            }
        }
        if try Int.fetchOne(db, sql: "SELECT min(change) FROM ledger") ?? 1 < 1 { try Ledger.renumberChanges(db) }
        // If a consumer's kept numbers were lost, its cursor moves back to the first of them: it gets some events
        // again, and misses none.
        try db.execute(
            sql: """
                UPDATE consumers SET acknowledged = kept_from - 1, kept_from = NULL, state = NULL
                WHERE kept_from <= acknowledged
                    AND kept_from IS NOT (SELECT min(first_seq) FROM kept WHERE consumer = consumers.name)
                """)
    }

    /// Copies the newest install, with its secret if that is intact. Otherwise keeps the control file's secret, or a
    /// new secret.
    private func copyInstall() throws {
        // If the whole row cannot be read, copy only the install's id.
        let row =
            (try? Row.fetchOne(
                old,
                sql: """
                    SELECT install_id, secret, generation, base, is_adopted FROM log
                    WHERE typeof(install_id) = 'text' AND typeof(secret) = 'text' AND generation > 0
                        AND base BETWEEN 0 AND \(EventRecord.highestSeq)
                    """))
            // If this fails, too, the install is lost, and the one of the control file stays.
            ?? (try? Row.fetchOne(old, sql: "SELECT install_id FROM log WHERE typeof(install_id) = 'text'"))
        guard let row, let install: String = row[0] else { return }
        let known = try Generations.newest(db)
        guard row.count > 1 else {
            if install != known.installID {
                try Generations.restore(LogGeneration(installID: install, secret: InstallSecret.make()), db)
            }
            return
        }
        let secret: String = row[1]
        let number: Int = row[2]
        let base: Int64 = row[3]
        let kept = known.installID == install ? known.secret : InstallSecret.make()
        try Generations.restore(
            LogGeneration(
                number: number, installID: install, secret: InstallSecret.isValid(secret) ? secret : kept, base: base,
                isAdopted: row[4] == 1), db)
    }

    private func copyEvents() throws {
        var insertion = try EventInsertion(db, after: 0)
        let accounted = try AccountedNumbers(db)
        // Without the log's own count, the highest number in the tables counts.
        let known = try? EventRow.lastSeq(old)
        let end = highest(known: known)
        var first: Int64?
        var failures = 0
        var seq: Int64 = 0
        var step: Int64 = 1
        // A number far above the log's own count is damaged.
        let ceiling = known.map { $0 + Self.leap } ?? EventRecord.highestSeq
        while seq < known.map({ max($0, end) }) ?? ceiling {
            do {
                try read(after: seq, upTo: ceiling) { number, record in
                    seq = number
                    guard let record else { return }
                    if first == nil { try skipHead(before: number, hasFailed: failures > 0, accounted, &insertion) }
                    try account(upTo: number - 1, accounted, &insertion)
                    first = first ?? number
                    try insertion.insert(record)
                    step = 1
                }
                if known == nil { break }
            } catch let error as DatabaseError where LogOpening.isDamage(error) || error.resultCode == .SQLITE_IOERR {
                failures += 1
            }
            // Continue after the damage, or after a number that only appears to be the last one.
            if let next = accounted.firstMissing(from: seq + 1), next > seq + 1 {
                seq = next - 1
            } else {
                seq += step
                if failures > Self.patience { step = min(step * 2, 1 << 50) }
            }
        }
        if first == nil { try skipHead(before: end + 1, hasFailed: failures > 0, accounted, &insertion) }
        try account(upTo: end, accounted, &insertion)
        try insertion.finish()
    }

    /// Reads events in the order of their numbers. Passes nil for a damaged event.
    private func read(after seq: Int64, upTo ceiling: Int64, _ body: (Int64, EventRecord?) throws -> Void) throws {
        var last = seq
        let rows = try Row.fetchCursor(
            try old.cachedStatement(
                sql: "\(EventRow.columns) FROM events WHERE seq > ? AND seq <= ? ORDER BY seq"),
            arguments: [seq, ceiling])
        while let row = try rows.next() {
            // The reason is lost: a number of another type is damage, like one out of order.
            guard let number = try? row.decode(Int64.self, atIndex: 0), number > last else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            last = number
            // A row with columns of wrong types is lost, and counted as damaged.
            try body(number, try? EventRow.record(row))
        }
    }

    /// Skips pruned events, which were delivered, or counted when they were removed. Events that were lost with the
    /// first pages do not count as pruned.
    private func skipHead(
        before number: Int64, hasFailed: Bool, _ accounted: AccountedNumbers, _ insertion: inout EventInsertion
    ) throws {
        guard hasFailed else { return insertion.pass(number - 1) }
        // The index of ids also has the numbers, on separate pages.
        let lowest = try? Int64.fetchOne(old, sql: "SELECT min(seq) FROM events INDEXED BY sqlite_autoindex_events_1")
        if let lowest, 1...number ~= lowest { insertion.pass(lowest - 1) }
    }

    /// Records missing numbers as damaged, unless the ledger has another reason for them.
    private func account(upTo number: Int64, _ accounted: AccountedNumbers, _ insertion: inout EventInsertion) throws {
        guard insertion.lastSeq < number else { return }
        for range in accounted.missing(of: insertion.lastSeq + 1...number) {
            insertion.pass(range.lowerBound - 1)
            try insertion.skip(range, because: .damaged)
        }
        insertion.pass(number)
    }

    /// How far a number may exceed the log's count, after a power failure has left an old page.
    private static let leap: Int64 = 1 << 20

    /// The highest number in the old database, from every table that can be read.
    private func highest(known: Int64?) -> Int64 {
        let queries = [
            "SELECT max(seq) FROM events", "SELECT max(acknowledged) FROM consumers",
            "SELECT max(last_seq) FROM ledger",
        ]
        let limit = known.map { $0 + Self.leap } ?? EventRecord.highestSeq
        // Nil if the table cannot be read.
        return (queries.compactMap { try? Int64.fetchOne(old, sql: $0) } + [known ?? 0]).filter { 0...limit ~= $0 }
            .max()
            ?? 0
    }
}
