internal import EventModel
import GRDB

/// Rows of the table `consents`: the people's consent. The columns `consent` and `is_answered` are a record's state.
///
/// A row has a ``reference(_:)`` to a person and a purpose, so that the table has no ids.
enum Consents {
    /// Stores a record, unless there is a newer one.
    static func set(_ record: ConsentRecord, at key: UInt64, _ db: Database) throws {
        guard let record = ConsentRecord.newer(try self.record(at: key, db), record) else { return }
        try put(record, at: key, db)
    }

    private static func put(_ record: ConsentRecord, at key: UInt64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO consents (user_id, consent, is_answered, number) VALUES (?, ?, ?, ?) ON CONFLICT (user_id)
                DO UPDATE SET consent = excluded.consent, is_answered = excluded.is_answered, number = excluded.number
                """, arguments: [reference(key), record.column, record.answeredColumn, record.number])
    }

    /// Stores that an anonymous person is a user: the user's answers are also valid for events that were sent before the
    /// sign-in.
    static func link(_ anonymous: UInt64, to user: UInt64, number: Int64, _ db: Database) throws {
        try set(record(at: anonymous, db) ?? ConsentRecord(.assumed, number: number), at: anonymous, db)
        try db.execute(
            sql: "UPDATE consents SET person = ? WHERE user_id = ?", arguments: [reference(user), reference(anonymous)])
    }

    static func record(at key: UInt64, _ db: Database) throws -> ConsentRecord? {
        try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT user_id, consent, is_answered, number FROM consents WHERE user_id = ?"),
            arguments: [reference(key)]
        ).map(record)
    }

    /// Adds all rows to a table.
    static func load(into table: inout ConsentTable, _ db: Database) throws {
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "SELECT user_id, consent, is_answered, number, person FROM consents"))
        while let row = try rows.next() {
            let key = key(ofStored: try row.decode(atIndex: 0))
            table.merge(try record(row), at: key)
            if let user = try row.decode(String?.self, atIndex: 4) { table.link([key: self.key(ofStored: user)]) }
        }
    }

    /// All records, by ``ConsentMirror/key(_:for:)``.
    static func all(_ db: Database) throws -> [UInt64: ConsentRecord] {
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id, consent, is_answered, number FROM consents"))
        return try Dictionary(
            rows.map { (key(ofStored: try $0.decode(atIndex: 0)), try record($0)) }, uniquingKeysWith: { $1 })
    }

    private static func record(_ row: Row) throws -> ConsentRecord {
        ConsentRecord(
            column: try row.decode(atIndex: 1), answered: try row.decode(atIndex: 2),
            number: try row.decode(atIndex: 3)
        )
    }

    // MARK: What only the control file knows

    /// Stores the last sign-ins, in case that a process ended before it stored one.
    static func adoptLinks(_ mirror: ConsentMirror, _ db: Database) throws {
        for (anonymous, user) in mirror.links {
            let known = try String.fetchOne(
                db, sql: "SELECT person FROM consents WHERE user_id = ?", arguments: [reference(anonymous)])
            if known != reference(user) { try link(anonymous, to: user, number: 0, db) }
        }
    }

    /// Stores the changes that a process wrote only to the control file before it ended; denials with the marker for the
    /// events to discard.
    ///
    /// Call it only while no other process has the log open, because a living process stores them itself.
    ///
    /// - Parameters:
    ///   - names: The purposes that only the control file may know.
    ///   - drawn: The highest number that an event can have.
    static func adopt(_ mirror: ConsentMirror, _ names: [Purpose], drawn: Int64, _ db: Database) throws {
        let mirrored = mirror.records()
        // Without its marker, a denial would look as if its events were already removed.
        try db.inSavepoint {
            let purposes = try LogPurposes.add(names, db).filter { $0 != .analytics } + [.analytics]
            for (key, record) in mirrored {
                let stored = try self.record(at: key, db)
                guard let record = ConsentRecord.newer(stored, record), record != stored else { continue }
                try put(record, at: key, db)
                guard let reason = record.removalReason else { continue }
                // If it is for all purposes, the person may have agreed to some.
                let own = try purposes.filter { purpose in
                    let own = ConsentMirror.key(key, for: purpose)
                    let known = try ConsentRecord.newer(mirrored[own], self.record(at: own, db))
                    return ConsentRecord.effective(known, all: record, for: purpose)?.removalReason != nil
                }
                let keys = own.count == purposes.count ? [key] : own.map { ConsentMirror.key(key, for: $0) }
                for key in keys {
                    try Discards.mark(Discards.Removal(at: key, because: reason, through: drawn), db)
                }
            }
            return .commit
        }
    }

    /// Stands for a person's id, or a person and a purpose: a control character, and the key in 16 hexadecimal digits.
    static func reference(_ key: UInt64) -> String { "\u{1}" + digits(key) }

    static func digits(_ key: UInt64) -> String {
        let digits = String(key, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The key in a reference, or of a person's id.
    static func key(ofStored stored: String) -> UInt64 {
        guard stored.utf8.count == 17, stored.utf8.first == 1, let key = UInt64(stored.dropFirst(), radix: 16) else {
            return ConsentMirror.key(of: stored)
        }
        return key
    }
}
