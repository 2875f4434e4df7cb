package import EventModel
package import GRDB

/// The installs of a log: the newest in the row of `log`, the earlier ones in the table `generations`.
package enum Generations {
    /// The install that new events get.
    static func newest(_ db: Database) throws -> LogGeneration {
        let row = try Row.fetchOne(
            try db.cachedStatement(sql: "SELECT generation, install_id, secret, base, is_adopted FROM log"))
        guard let row else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table log is empty")
        }
        return LogGeneration(
            number: try row.decode(atIndex: 0), installID: try row.decode(atIndex: 1),
            secret: try row.decode(atIndex: 2), base: try row.decode(atIndex: 3), isAdopted: try row.decode(atIndex: 4))
    }

    /// The install that a log number belongs to.
    static func one(of logs: [LogGeneration], with seq: Int64) -> LogGeneration {
        logs.last { $0.base < seq } ?? logs[0]
    }

    /// Sets the newest install in a newly created database.
    static func restore(_ log: LogGeneration, _ db: Database) throws {
        let secret = InstallSecret.isValid(log.secret) ? log.secret : InstallSecret.make()
        try db.execute(
            sql: "UPDATE log SET install_id = ?, secret = ?, generation = ?, base = ?, is_adopted = ?",
            arguments: [log.installID, secret, log.number, log.base, log.isAdopted])
    }

    /// Adopts the install of recorded events with a new secret, because another log may have delivered under it.
    static func adopt(_ installID: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE log SET install_id = ?, secret = ?, is_adopted = 1",
            arguments: [installID, InstallSecret.make()])
    }

    /// Repairs a damaged secret from the control file, or with a new secret. A server that knows the former secret then
    /// treats the log as another install.
    static func repairSecret(_ known: LogGeneration?, _ db: Database) throws {
        let log = try newest(db)
        guard !InstallSecret.isValid(log.secret) else { return }
        let secret = known.flatMap {
            $0.installID == log.installID && InstallSecret.isValid($0.secret) ? $0.secret : nil
        }
        try db.execute(sql: "UPDATE log SET secret = ?", arguments: [secret ?? InstallSecret.make()])
    }

    /// Every install of the log, oldest first.
    package static func all(_ db: Database) throws -> [LogGeneration] {
        let newest = try newest(db)
        guard newest.number > 1 else { return [newest] }
        var all: [LogGeneration] = [newest]
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, install_id, secret, base, is_adopted FROM generations ORDER BY number DESC")
        for row in rows {
            all.append(
                LogGeneration(
                    number: try row.decode(atIndex: 0), installID: try row.decode(atIndex: 1),
                    secret: try row.decode(atIndex: 2), base: try row.decode(atIndex: 3),
                    last: all[all.count - 1].base, isAdopted: try row.decode(atIndex: 4)))
        }
        return all.reversed()
    }
}

extension EventRecord {
    /// The same event and line under another number.
    package func renumbered(_ seq: Int64) -> EventRecord {
        EventRecord(seq: seq, id: id, time: time, name: name, line: line, purpose: purpose)
    }
}

/// The secret by which a server recognizes an install.
///
/// It is stored next to the install's id in the database and in the journal's control file, and nowhere else. It must
/// not appear in lines, diagnostics, errors, or the output of `trackctl`.
enum InstallSecret {
    /// Generates 128 random bits with the system's generator.
    ///
    /// - Returns: 32 lowercase hexadecimal digits.
    static func make() -> String { SealedBatch.newID() }

    /// Whether a text has the format of a secret.
    static func isValid(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
