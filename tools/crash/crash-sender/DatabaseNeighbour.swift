internal import GRDB

/// A second connection to the log's database, as another program could have one.
final class DatabaseNeighbour: Sendable {
    private let database: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.allowsUnsafeTransactions = true
        database = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Moves the write-ahead log into the database, as SQLite does by itself once it is long enough.
    func checkpoint(cutsLog: Bool = true) {
        // One that finds the log busy has done what it could.
        try? database.writeWithoutTransaction { db in _ = try db.checkpoint(cutsLog ? .truncate : .passive) }
    }

    /// Keeps all others from committing, as long as this process lives: what is sent stays where `send` put it.
    func holdForEver() throws {
        try database.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
    }
}
