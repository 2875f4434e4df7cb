import GRDB

/// Removes rows so that their lines' bytes are in no page of the database, without rewriting the file.
///
/// A line is overwritten in its cell before its row is deleted: when SQLite then moves rows between pages, and leaves
/// copies behind, these have zeros. `secure_delete` overwrites the rest of the cells and the freed pages. Copies from
/// earlier moves may remain: ``LogWorker/rewriteIfDue(isIdle:)`` removes them.
enum Overwriting {
    /// The tables with lines, and the columns of their keys.
    enum Table: String {
        case events, copies
        case deadLetters = "dead_letters"

        fileprivate var key: String { self == .deadLetters ? "number" : "seq" }
    }

    /// Runs `body`, which deletes rows.
    static func whileDeleting<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
        let former = try Int.fetchOne(db, sql: "PRAGMA secure_delete") ?? 0
        _ = try Row.fetchAll(db, sql: "PRAGMA secure_delete = ON")
        // If this fails, deleting stays slower.
        defer { _ = try? Row.fetchAll(db, sql: "PRAGMA secure_delete = \(former == 2 ? "FAST" : "\(former)")") }
        return try body()
    }

    /// Overwrites the lines of rows with zeros of the same length.
    static func overwrite(_ keys: some Sequence<Int64>, in table: Table, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "UPDATE \(table.rawValue) SET line = zeroblob(length(line)) WHERE \(table.key) = ?")
        for key in keys { try statement.execute(arguments: [key]) }
    }
}
