import GRDB

/// Rows of the table `consents`: the users' consent.
///
/// A row has a user's id, or a ``reference(_:)`` to a user whose id is not known, because the control file has only
/// keys.
enum Consents {
    static func set(_ consent: Consent, of userID: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO consents (user_id, consent) VALUES (?, ?)
                ON CONFLICT (user_id) DO UPDATE SET consent = excluded.consent
                """, arguments: [userID, consent.rawValue])
        try removeReference(to: userID, db)
    }

    /// Stores that a user's consent is unknown, unless a consent is stored.
    static func require(_ userID: String, _ db: Database) throws {
        guard try consent(of: userID, db) == nil else { return }
        try set(.unknown, of: userID, db)
    }

    static func consent(of userID: String, _ db: Database) throws -> Consent? {
        try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT user_id, consent FROM consents WHERE user_id IN (?, ?)"),
            arguments: [userID, reference(ConsentMirror.key(of: userID))]
        ).map(consent(_:)).max { $0.strictness < $1.strictness }
    }

    /// The stored consents, by ``ConsentMirror/key(of:)``.
    static func all(_ db: Database) throws -> [UInt64: Consent] {
        try Dictionary(
            Row.fetchAll(try db.cachedStatement(sql: "SELECT user_id, consent FROM consents")).map { row in
                (key(ofStored: try row.decode(atIndex: 0)), try consent(row))
            }, uniquingKeysWith: { $0.strictness > $1.strictness ? $0 : $1 })
    }

    /// The users who have denied consent, by id or ``reference(_:)``.
    static func denied(_ db: Database) throws -> Set<String> {
        try String.fetchSet(
            try db.cachedStatement(sql: "SELECT user_id FROM consents WHERE consent = ?"),
            arguments: [Consent.denied.rawValue])
    }

    private static func consent(_ row: Row) throws -> Consent {
        Consent(rawValue: try row.decode(atIndex: 1)) ?? .unknown
    }

    // MARK: What only the control file knows

    /// Stores the consents that a process wrote only to the control file before it ended: denials, with the marker for
    /// the events to discard, and unknown consents.
    ///
    /// Call it only while no other process has the log open, because a living process stores them itself. A grant is
    /// stored in the database first. A denial that is only in the control file may therefore be older or newer than the
    /// stored grant. The denial wins in both cases.
    ///
    /// - Parameter drawn: The highest number that an event can have.
    static func adopt(_ mirror: ConsentMirror, drawn: Int64, _ db: Database) throws {
        let news = try onlyMirrored(mirror, db)
        guard !news.isEmpty else { return }
        // Without its marker, a denial would look as if its events were already removed.
        try db.inSavepoint {
            for (key, consent) in news {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO consents (user_id, consent) VALUES (?, ?)",
                    arguments: [reference(key), consent.rawValue])
                if consent == .denied { try Discards.mark(reference(key), through: drawn, db) }
            }
            return .commit
        }
    }

    /// Restores a control file's damaged copy. Consents that are not stored yet stay in it. Call with the control
    /// file's lock held.
    static func repair(_ mirror: ConsentMirror, _ db: Database) throws {
        guard !mirror.isIntact else { return }
        mirror.fill(try all(db).merging(onlyMirrored(mirror, db)) { $1 })
    }

    /// Denials and unknown consents that are not stored in the database.
    private static func onlyMirrored(_ mirror: ConsentMirror, _ db: Database) throws -> [UInt64: Consent] {
        let mirrored = mirror.consents().filter { $0.value != .granted }
        guard !mirrored.isEmpty else { return [:] }
        let stored = try all(db)
        return mirrored.filter { key, consent in
            switch (consent, stored[key]) {
            case (.denied, nil), (.denied, .granted), (.denied, .unknown), (.unknown, nil): true
            default: false
            }
        }
    }

    /// Deletes the row that was stored for a user without the id.
    static func removeReference(to userID: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM consents WHERE user_id = ?", arguments: [reference(ConsentMirror.key(of: userID))])
    }

    /// A placeholder for a user's id: a control character, and the key in 16 hexadecimal digits.
    static func reference(_ key: UInt64) -> String {
        let digits = String(key, radix: 16)
        return "\u{1}" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The key in a reference; nil for a user's id.
    static func key(inReference stored: String) -> UInt64? {
        guard stored.utf8.count == 17, stored.utf8.first == 1 else { return nil }
        return UInt64(stored.dropFirst(), radix: 16)
    }

    private static func key(ofStored stored: String) -> UInt64 {
        key(inReference: stored) ?? ConsentMirror.key(of: stored)
    }
}

extension Consent {
    /// If two consents are stored for one user, the stricter one wins.
    fileprivate var strictness: Int {
        switch self {
        case .granted: 0
        case .unknown: 1
        case .denied: 2
        }
    }
}
