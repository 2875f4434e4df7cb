internal import GRDB

/// A second connection to the log's database, as another program may have.
final class DatabaseNeighbour: Sendable {
    private let database: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.allowsUnsafeTransactions = true
        database = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Checkpoints the write-ahead log, as SQLite does by itself when it is long enough.
    func checkpoint(cutsLog: Bool = true) {
        // One that finds the log busy has done what it could.
        try? database.writeWithoutTransaction { db in _ = try db.checkpoint(cutsLog ? .truncate : .passive) }
    }

    /// Prevents all commits while this process runs: sent events stay where `send` put them.
    func holdForEver() throws {
        try database.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
    }
}
