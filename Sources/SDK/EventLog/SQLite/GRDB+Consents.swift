import GRDB

/// Rows of the table `consents`: what users have said.
enum Consents {
    static func set(_ consent: Consent, of userID: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO consents (user_id, consent) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET consent = excluded.consent
                """, arguments: [userID, consent.rawValue])
    }

    /// Stores that a user has not said anything yet, unless something is stored.
    static func require(_ userID: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO consents (user_id, consent) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [userID, Consent.unknown.rawValue])
    }

    static func consent(of userID: String, _ db: Database) throws -> Consent? {
        try String.fetchOne(db, sql: "SELECT consent FROM consents WHERE user_id = ?", arguments: [userID])
            .map { Consent(rawValue: $0) ?? .unknown }
    }

    static func all(_ db: Database) throws -> [(userID: String, consent: Consent)] {
        try Row.fetchAll(try db.cachedStatement(sql: "SELECT user_id, consent FROM consents")).map { row in
            (try row.decode(atIndex: 0), Consent(rawValue: try row.decode(atIndex: 1)) ?? .unknown)
        }
    }
}
