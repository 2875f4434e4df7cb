internal import EventModel
internal import Foundation
import GRDB
import GRDBSQLite

/// Inserts events in the order of their numbers inside a transaction, without copying their bytes, and updates the
/// totals in `log`.
struct EventInsertion {
    private let db: Database
    private let statement: Statement
    private var (count, bytes): (Int64, Int64) = (0, 0)
    private var hasChanged = false
    /// The highest number that is accounted for.
    private(set) var lastSeq: Int64
    /// The log's installs, newest last.
    private let logs: [LogGeneration]
    /// The purposes of the events.
    private var purposes: Set<Purpose> = []

    init(_ db: Database, after lastSeq: Int64) throws {
        self.db = db
        self.lastSeq = lastSeq
        logs = try Generations.all(db)
        statement = try db.cachedStatement(
            sql:
                "INSERT INTO events (seq, id, time, name, line, purpose) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
        )
    }

    /// Inserts a journal's record. If it has no event, adds its number to the ledger.
    mutating func insert(_ record: WholeRecord, unless discards: Discards) throws {
        if record.kind == .drop { return try skip(record.seq...record.seq, because: .interrupted) }
        if let reason = discards.reason(seq: record.seq, line: record.line, purpose: record.purpose) {
            return try skip(record.seq...record.seq, because: reason)
        }
        let line = try followed(record)
        if let line {
            try line.withUnsafeBytes {
                try insert(
                    seq: record.seq, id: record.id, time: record.time, name: record.name, line: $0,
                    purpose: record.purpose)
            }
        } else {
            try insert(
                seq: record.seq, id: record.id, time: record.time, name: record.name, line: record.line,
                purpose: record.purpose)
        }
    }

    /// The rewritten line of an event whose sender had not seen that the log continues as another install; nil for
    /// other events.
    private func followed(_ record: WholeRecord) throws -> [UInt8]? {
        guard logs.count > 1 else { return nil }
        let log = Generations.one(of: logs, with: record.seq)
        let marker = Array(#""\#(EnvelopeMember.installID.name)":"\#(log.installID)""#.utf8)
        // The SDK's lines have the install in their first bytes. Quotes in an event's text are escaped, so the text
        // cannot match.
        let head = UnsafeRawBufferPointer(rebasing: record.line.prefix(512))
        if head.contains(marker) { return nil }
        let line = [UInt8](record.line)
        guard let container = RecordedContainer(validating: line), container.installID != log.installID,
            let former = logs.first(where: { $0.installID == container.installID })
        else { return nil }
        return Relabelling.line(
            line, from: (former.installID, record.seq - former.base), to: log.installID, seq: record.seq - log.base)
    }

    mutating func insert(_ record: EventRecord) throws {
        var name = record.name
        try name.withUTF8 { name in
            try record.line.withUnsafeBytes { line in
                try insert(
                    seq: record.seq, id: record.id, time: record.time, name: UnsafeRawBufferPointer(name), line: line,
                    purpose: record.purpose)
            }
        }
    }

    /// Discards and counts an event whose id is already there, so that it does not block the others.
    private mutating func insert(
        seq: Int64, id: EventID, time: EventTime, name: UnsafeRawBufferPointer, line: UnsafeRawBufferPointer,
        purpose: Purpose
    ) throws {
        let sqlite = statement.sqliteStatement
        if let column = purpose.column {
            purposes.insert(purpose)
            // SQLite copies it (SQLITE_TRANSIENT).
            sqlite3_bind_text(sqlite, 6, column, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        } else {
            sqlite3_bind_null(sqlite, 6)
        }
        let code = withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { id in
            // The bytes stay valid until the step is done, so SQLite need not copy them (SQLITE_STATIC).
            sqlite3_bind_int64(sqlite, 1, seq)
            sqlite3_bind_blob(sqlite, 2, id.baseAddress, CInt(id.count), nil)
            sqlite3_bind_int64(sqlite, 3, time.microseconds)
            sqlite3_bind_text(
                sqlite, 4, name.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(name.count), nil)
            if line.isEmpty {
                sqlite3_bind_zeroblob(sqlite, 5, 0)  // SQLite binds a null pointer as NULL.
            } else {
                sqlite3_bind_blob(sqlite, 5, line.baseAddress, CInt(line.count), nil)
            }
            defer { sqlite3_reset(sqlite) }
            return sqlite3_step(sqlite)
        }
        guard code == SQLITE_DONE else {
            // All values are valid, and the number is higher than all that the log claims to have, so the database is
            // damaged.
            if code & 0xFF == SQLITE_CONSTRAINT {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: db.lastErrorMessage)
            }
            throw DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
                message: db.lastErrorMessage)
        }
        hasChanged = true
        lastSeq = seq
        guard sqlite3_changes(db.sqliteConnection) > 0 else {
            return try Ledger.add(.repeatedID, count: 1, seqs: seq...seq, db)
        }
        count += 1
        bytes += Int64(line.count)
    }

    /// Accounts for numbers that will have no event.
    mutating func skip(_ seqs: ClosedRange<Int64>, because reason: DropReason) throws {
        try Ledger.add(reason, count: seqs.upperBound - seqs.lowerBound + 1, seqs: seqs, db)
        lastSeq = seqs.upperBound
        hasChanged = true
    }

    /// Skips numbers that are accounted for elsewhere.
    mutating func pass(_ seq: Int64) {
        guard seq > lastSeq else { return }
        lastSeq = seq
        hasChanged = true
    }

    /// Stores the totals. Must be the last call.
    mutating func finish() throws {
        sqlite3_clear_bindings(statement.sqliteStatement)
        guard hasChanged else { return }
        _ = try LogPurposes.add(purposes.sorted { $0.name < $1.name }, db)
        try db.execute(
            sql: "UPDATE log SET last_seq = ?, event_count = event_count + ?, event_bytes = event_bytes + ?",
            arguments: [lastSeq, count, bytes])
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the buffer contains a sequence of bytes.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return false }
        return (0...count - bytes.count).contains { start in
            self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
