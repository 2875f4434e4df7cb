internal import EventLog
internal import Foundation
internal import GRDB

/// The index database. Readers use the pool; the writer thread uses ``connection`` inside ``write(_:)``.
final class StoreIndex {
    let pool: DatabasePool
    let readers: IndexReaders
    let path: String
    /// Whether the tables were just created.
    let isNew: Bool
    /// For the writer thread.
    let writer: IndexWriter
    private var isWriting = false
    var connection: IndexConnection { writer.connection }

    /// Opens or creates an index.
    ///
    /// Uses WAL, so readers don't block. `synchronous = NORMAL` syncs at checkpoints only: commits that a power
    /// failure removes from the WAL are read from the segments again. OFF would save two syncs per checkpoint, but
    /// could leave a damaged database, which requires a complete rebuild.
    ///
    /// - Throws: ``StoreError``; `DatabaseError`.
    init(_ folder: StoreFolder) throws {
        path = folder.index
        var configuration = Configuration()
        configuration.label = "CollectorStore"
        configuration.maximumReaderCount = 4
        // The writer thread leaves a transaction open from one group to the next.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // 16 MiB, because each checkpoint syncs twice.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
            try db.execute(sql: "PRAGMA journal_size_limit = 33554432")
            try db.execute(sql: "PRAGMA cache_size = -16384")
            try db.execute(sql: "PRAGMA secure_delete = FAST")
            // A savepoint copies the pages that are changed after it.
            if !db.configuration.readonly { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
        }
        try PrivateFile.tighten(folder.indexFiles)
        try PrivateFile.makeIfMissing(path)
        // Opening a pool writes to the database.
        try IndexSchema.check(path)
        pool = try DatabasePool(path: path, configuration: configuration)
        readers = IndexReaders(pool)
        let path = path
        (isNew, writer) = try pool.writeWithoutTransaction { db in
            let isNew = try IndexSchema.prepare(db, path: path)
            return (isNew, IndexWriter(try IndexConnection(db)))
        }
    }

    /// Runs `body`, in which ``connection`` may be used. Calls may be nested.
    func write<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isWriting else { return try body() }
        return try pool.writeWithoutTransaction { _ in
            isWriting = true
            defer { isWriting = false }
            return try body()
        }
    }

    /// Closes the database after the active reads. For the writer thread only.
    ///
    /// - Throws: `DatabaseError`.
    func close() throws {
        connection.finish()
        try readers.close()
    }

    /// The last frame in the index.
    struct Position: Equatable {
        var segment: Int64 = 0
        /// The end of that frame.
        var offset: Int64 = 0
        var frame: Int64 = 0
    }

    func position() throws -> Position {
        try Position(segment: meta("segment"), offset: meta("offset"), frame: meta("frame"))
    }

    func setPosition(_ position: Position) throws {
        try setMeta("segment", position.segment)
        try setMeta("offset", position.offset)
        try setMeta("frame", position.frame)
    }

    func meta(_ name: String) throws -> Int64 {
        try connection.first("SELECT value FROM meta WHERE name = ?", .text(name)) { $0.int(0) } ?? 0
    }

    func setMeta(_ name: String, _ value: Int64) throws {
        try connection.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", .text(name), .int(value))
    }

    func collector() throws -> CollectorID? {
        try connection.first("SELECT value FROM meta WHERE name = 'collector'") { CollectorID($0.text(0)) } ?? nil
    }

    func setCollector(_ id: CollectorID) throws {
        try connection.run(
            "INSERT OR REPLACE INTO meta (name, value) VALUES ('collector', ?)", .text(id.description))
    }

    /// Stores the range of a segment's frames.
    ///
    /// - Parameter newest: The time at which the newest frame was received.
    func note(_ header: SegmentHeader, frames: ClosedRange<Int64>, newest: Int64) throws {
        try connection.run(
            """
            INSERT INTO segments (number, generation, first_frame, last_frame, newest) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET last_frame = max(last_frame, excluded.last_frame),
                newest = max(newest, excluded.newest)
            """, .int(header.number), .int(Int64(header.generation)), .int(frames.lowerBound),
            .int(frames.upperBound),
            .int(newest))
    }

    /// Whether an error means that the database is damaged, rather than full, locked or inaccessible.
    static func isDamage(_ error: any Error) -> Bool {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: true
        default: false
        }
    }

    /// The result of SQLite's check; nil if it finds no problem. Complexity: O(database).
    func issue() throws -> String? {
        let result = try pool.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        return result == "ok" ? nil : result ?? "quick_check returned nothing"
    }
}
