import GRDB

/// Rows of the table `consents`: the people's consent. The columns `consent` and `is_answered` are a record's state.
///
/// A row has a person's id, or a ``reference(_:)`` to a person whose id is not known, because the control file has only
/// keys.
enum Consents {
    /// Stores a record, unless there is a newer one.
    static func set(_ record: ConsentRecord, of person: String, _ db: Database) throws {
        guard let record = ConsentRecord.newer(try self.record(of: person, db), record) else { return }
        try put(record, at: person, db)
        try db.execute(
            sql: "DELETE FROM consents WHERE user_id = ?", arguments: [reference(ConsentMirror.key(of: person))])
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
        // Replaces a row that has only the person's key.
        try set(record(of: anonymous, db) ?? ConsentRecord(.assumed, number: number), of: anonymous, db)
        try db.execute(sql: "UPDATE consents SET person = ? WHERE user_id = ?", arguments: [user, anonymous])
    }

    /// The anonymous people who are a user.
    static func anonymous(of user: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id FROM consents WHERE person = ?"), arguments: [user])
    }

    /// The anonymous people who are a user whose id may not be known.
    private static func anonymous(of user: UInt64, _ db: Database) throws -> [String] {
        try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id, person FROM consents WHERE person IS NOT NULL")
        ).filter { ConsentMirror.key(of: try $0.decode(atIndex: 1)) == user }.map { try $0.decode(atIndex: 0) }
    }

    static func record(of person: String, _ db: Database) throws -> ConsentRecord? {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT user_id, consent, is_answered, number FROM consents WHERE user_id IN (?, ?)"),
            arguments: [person, reference(ConsentMirror.key(of: person))]
        ).map { try record($0) }.reduce(nil, ConsentRecord.newer)
    }

    /// The stored records, by ``ConsentMirror/key(of:)``.
    static func all(_ db: Database) throws -> [UInt64: ConsentRecord] {
        try Dictionary(
            rows(db).map { (key(ofStored: $0.stored), $0.record) },
            uniquingKeysWith: { ConsentRecord.newer($0, $1) ?? $1 })
    }

    /// The rows with a person's id or a ``reference(_:)``, also of a log of format 4.
    static func rows(_ db: Database) throws -> [(stored: String, record: ConsentRecord)] {
        let columns = try DatabaseSchema.isFormer(db) ? "1, 0" : "is_answered, number"
        return try Row.fetchAll(try db.cachedStatement(sql: "SELECT user_id, consent, \(columns) FROM consents")).map {
            (try $0.decode(atIndex: 0), try record($0))
        }
    }

    private static func record(_ row: Row) throws -> ConsentRecord {
        ConsentRecord(
            column: try row.decode(atIndex: 1), isAnswered: try row.decode(atIndex: 2),
            number: try row.decode(atIndex: 3)
        )
    }

    // MARK: What only the control file knows

    /// Stores who the anonymous people of the last identities are, in case that a process ended before it stored a sign-in.
    static func link(_ identities: IdentityRing, _ db: Database) throws {
        for identity in identities.all {
            guard let user = identity.userID else { continue }
            let known = try String.fetchOne(
                db, sql: "SELECT person FROM consents WHERE user_id = ?", arguments: [identity.deviceID])
            if known != user { try link(identity.deviceID, to: user, number: 0, db) }
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
            for (key, record) in news {
                try put(record, at: reference(key), db)
                let devices = try anonymous(of: key, db)
                for device in devices { try set(record, of: device, db) }
                guard let reason = record.removalReason else { continue }
                for person in [reference(key)] + devices {
                    try Discards.mark(person, because: reason, through: drawn, db)
                }
            }
            return .commit
        }
    }

    /// A placeholder for a person's id: a control character, and the key in 16 hexadecimal digits.
    static func reference(_ key: UInt64) -> String { "\u{1}" + digits(key) }

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
        records = try Consents.all(db).merging(others) { ConsentRecord.newer($0, $1) ?? $1 }
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
        ConsentRule(stored: records[Self.everyone] ?? person.flatMap { records[key(of: $0)] })
    }
}
