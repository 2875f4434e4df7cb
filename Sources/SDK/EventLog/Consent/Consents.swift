import GRDB

/// Rows of the table `consents`: the people's consent. The columns `consent` and `is_answered` are a record's state.
///
/// A row has a ``reference(_:)`` to a person, so that the table has no ids. Rows of format 4 have ids.
enum Consents {
    /// Stores a record, unless there is a newer one.
    static func set(_ record: ConsentRecord, of person: String, _ db: Database) throws {
        guard let record = ConsentRecord.newer(try self.record(of: person, db), record) else { return }
        let stored = reference(to: person)
        try put(record, at: stored, db)
        if person != stored { try db.execute(sql: "DELETE FROM consents WHERE user_id = ?", arguments: [person]) }
    }

    private static func put(_ record: ConsentRecord, at stored: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO consents (user_id, consent, is_answered, number) VALUES (?, ?, ?, ?) ON CONFLICT (user_id)
                DO UPDATE SET consent = excluded.consent, is_answered = excluded.is_answered, number = excluded.number
                """, arguments: [stored, record.column, record.answeredColumn, record.number])
    }

    /// Stores that an anonymous person is a user: the user's answers are also valid for events that were sent before the
    /// sign-in.
    static func link(_ anonymous: String, to user: String, number: Int64, _ db: Database) throws {
        try set(record(of: anonymous, db) ?? ConsentRecord(.assumed, number: number), of: anonymous, db)
        try db.execute(
            sql: "UPDATE consents SET person = ? WHERE user_id = ?",
            arguments: [reference(to: user), reference(to: anonymous)])
    }

    /// References to the anonymous people who are a user.
    static func anonymous(of user: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id FROM consents WHERE person = ?"),
            arguments: [reference(to: user)])
    }

    static func record(of person: String, _ db: Database) throws -> ConsentRecord? {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT user_id, consent, is_answered, number FROM consents WHERE user_id IN (?, ?)"),
            arguments: [person, reference(to: person)]
        ).map { try record($0) }.reduce(nil, ConsentRecord.newer)
    }

    /// Replaces the ids of format 4 with references.
    static func forgetIDs(_ db: Database) throws {
        for person in try String.fetchAll(db, sql: "SELECT user_id FROM consents") {
            if let record = try record(of: person, db) { try set(record, of: person, db) }
        }
    }

    /// The records, by ``ConsentMirror/key(of:)``. A user's record is also that of the anonymous people who are the user.
    ///
    /// - Parameter others: Records that may be newer than those of the database.
    static func all(_ db: Database, and others: [UInt64: ConsentRecord] = [:]) throws -> [UInt64: ConsentRecord] {
        let columns = try DatabaseSchema.isFormer(db) ? "1, 0, NULL" : "is_answered, number, person"
        let rows = try Row.fetchAll(try db.cachedStatement(sql: "SELECT user_id, consent, \(columns) FROM consents"))
        var (records, users) = (others, [UInt64: UInt64]())
        for row in rows {
            let key = key(ofStored: try row.decode(atIndex: 0))
            records[key] = ConsentRecord.newer(try record(row), records[key])
            // A person's id and key may each have a row.
            if let user = try row.decode(String?.self, atIndex: 4) { users[key] = self.key(ofStored: user) }
        }
        for (anonymous, user) in users {
            records[anonymous] = ConsentRecord.newer(records[anonymous], records[user])
        }
        return records
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
            if known != reference(user) { try link(reference(anonymous), to: reference(user), number: 0, db) }
        }
    }

    /// Stores the changes that a process wrote only to the control file before it ended; denials with the marker for the
    /// events to discard.
    ///
    /// Call it only while no other process has the log open, because a living process stores them itself.
    ///
    /// - Parameter drawn: The highest number that an event can have.
    static func adopt(_ mirror: ConsentMirror, drawn: Int64, _ db: Database) throws {
        let mirrored = mirror.records()
        guard !mirrored.isEmpty else { return }
        let stored = try all(db)
        let news = mirrored.filter { ConsentRecord.newer(stored[$0], $1) != stored[$0] }
        // Without its marker, a denial would look as if its events were already removed.
        try db.inSavepoint {
            for (key, record) in news { try put(record, at: reference(key), db) }
            for (key, record) in try all(db) where record != stored[key] {
                guard let reason = record.removalReason else { continue }
                try Discards.mark(Discards.Removal(of: reference(key), because: reason, through: drawn), db)
            }
            return .commit
        }
    }

    /// A placeholder for a person's id: a control character, and the key in 16 hexadecimal digits.
    static func reference(_ key: UInt64) -> String { "\u{1}" + digits(key) }

    private static func reference(to person: String) -> String { reference(key(ofStored: person)) }

    static func digits(_ key: UInt64) -> String {
        let digits = String(key, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The key in a reference; nil for a person's id.
    static func key(inReference stored: String) -> UInt64? {
        guard stored.utf8.count == 17, stored.utf8.first == 1 else { return nil }
        return UInt64(stored.dropFirst(), radix: 16)
    }

    static func key(ofStored stored: String) -> UInt64 { key(inReference: stored) ?? ConsentMirror.key(of: stored) }
}

/// The rules of all people at one moment, for lines.
final class ConsentRules {
    private let records: [UInt64: ConsentRecord]
    /// Computing a key needs a SHA-256, and most events have the same user as the event before.
    private var last: (person: String, key: UInt64)?
    private static let everyone = ConsentMirror.key(of: ConsentRule.everyone)

    /// - Parameter others: Records by ``ConsentMirror/key(of:)`` that may be newer than those of the database.
    init(_ db: Database, and others: [UInt64: ConsentRecord] = [:]) throws {
        records = try Consents.all(db, and: others)
    }

    /// Whether a condition is true for each person.
    func holds(_ condition: (ConsentRule) -> Bool) -> Bool {
        records.values.allSatisfy { condition(ConsentRule(stored: $0)) }
    }

    /// The key of a person.
    func key(of person: String) -> UInt64 {
        if let last, last.person == person { return last.key }
        let key = ConsentMirror.key(of: person)
        last = (person, key)
        return key
    }

    /// The rule for a line's user; for everyone if the line has none.
    func rule(of line: UnsafeRawBufferPointer) -> ConsentRule { rule(of: Discards.user(of: line)) }

    func rule(of person: String?) -> ConsentRule {
        ConsentRule(
            stored: ConsentRecord.effective(records[Self.everyone]) { person.flatMap { records[key(of: $0)] } })
    }
}
