internal import EventLog
package import EventModel
internal import Foundation
internal import GRDB
package import StreamClient

/// What a loader knows about a partition: which lines are stored, and up to which message. It is in an SQLite database of
/// its own, so that another loader can continue with a copy of the file.
///
/// Use it from one thread. An open state locks its file: a second loader of the same partition and folder fails.
package final class PartitionState {
    private let queue: DatabaseQueue
    /// The database's file.
    package let path: String
    private let lock: LifeLock
    private let gapAge: Duration
    private let hashDays: Int64
    private let now: () -> EventTime
    /// The position after the last complete block.
    package private(set) var position = Position()
    /// Whether the file may have verdicts that the stream does not have yet. A loader asks many times per second, also while
    /// nothing arrives.
    private var mayHaveVerdicts = true

    /// Where the loader is.
    package struct Position: Equatable, Sendable {
        /// The last block that all stores have; 0 for none.
        package var block: Int64 = 0
        /// The stream sequence of the last message in it.
        package var through: Int64 = 0
        /// The stream sequence of its cut.
        package var cut: Int64 = 0
        /// The stream sequence up to which there was no message that is not loaded; it may be lower than ``through``.
        package var seen: Int64 = 0
    }

    /// Opens or creates the state of a partition.
    ///
    /// - Parameters:
    ///   - folder: Created if it does not exist.
    ///   - stream: Identifies the stream; see ``StreamState/created``. A state of another stream is rejected.
    ///   - partitions: The stream's number of partitions.
    ///   - gapAge: How long numbers must be missing before collectors request them: other collectors may have them.
    ///   - hashDays: How long the hashes of stored lines are kept, in days.
    ///   - now: The clock.
    /// - Throws: ``LoaderError``.
    package init(
        folder: String, partition: Int, stream: String, partitions: Int, gapAge: Duration = .seconds(600),
        hashDays: Int = 400,
        now: @escaping () -> EventTime = { EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1e6)) }
    ) throws(LoaderError) {
        self.gapAge = gapAge
        self.hashDays = Int64(hashDays)
        self.now = now
        path = "\(folder)/partition-\(partition).sqlite"
        do {
            try PrivateFile.makeFolder(folder)
            let lockPath = "\(folder)/partition-\(partition).lock"
            try PrivateFile.makeIfMissing(lockPath)
            switch LifeLock.acquire(lockPath) {
            case .acquired(let lock): self.lock = lock
            case .held:
                throw LoaderError(
                    .inUse, "another loader uses \(path); stop it, or leave out partition \(partition)")
            case .failed(let error): throw error
            }
            try PrivateFile.tighten([path, path + "-wal", path + "-shm"])
            try PrivateFile.makeIfMissing(path)
            var configuration = Configuration()
            configuration.label = "loader"
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                // A block that is lost with the power is made again, with the same bytes.
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            position = try queue.write { db in
                try Self.prepare(db, path: path, partition: partition, stream: stream, partitions: partitions)
                return try Self.position(in: db)
            }
        } catch let error as LoaderError {
            throw error
        } catch {
            throw LoaderError(
                .cannotOpen, "cannot open \(path): \(error); check its owner and the free space",
                underlyingError: error)
        }
    }

    private static let applicationID = 0x5452_4B6C  // TRKl
    private static func prepare(
        _ db: Database, path: String, partition: Int, stream: String, partitions: Int
    ) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if found == 0 {
            try PartitionTables.create(in: db)
            try db.execute(
                sql: "INSERT INTO meta (partition, partitions, stream) VALUES (?, ?, ?)",
                arguments: [partition, partitions, stream])
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(PartitionTables.version)")
            return
        }
        guard found == applicationID else {
            throw LoaderError(.cannotOpen, "\(path) is not the state of a loader; pass another --state folder")
        }
        switch try Int.fetchOne(db, sql: "PRAGMA user_version") {
        case PartitionTables.version: break
        case 1: throw LoaderError(.cannotOpen, "an unreleased loader wrote \(path); pass another --state folder")
        default: throw LoaderError(.cannotOpen, "a newer loader wrote \(path); update this loader")
        }
        let meta = try Row.fetchOne(db, sql: "SELECT partition, partitions, stream FROM meta")
        guard let meta, meta[0] == partition, meta[1] == partitions, meta[2] == stream else {
            throw LoaderError(
                .otherStream,
                """
                \(path) belongs to another stream, or to one with another number of partitions; pass another --state \
                folder and empty stores
                """)
        }
    }

    private static func position(in db: Database) throws -> Position {
        let row = try Row.fetchOne(db, sql: "SELECT block, through, cut, seen FROM meta")
        return row.map { Position(block: $0[0], through: $0[1], cut: $0[2], seen: $0[3]) } ?? Position()
    }

    /// Notes ``Position/seen``.
    ///
    /// - Throws: ``LoaderError``.
    package func note(seen: Int64) throws(LoaderError) {
        do { try queue.write { try $0.execute(sql: "UPDATE meta SET seen = ?", arguments: [seen]) } } catch {
            throw failure(error)
        }
        position.seen = seen
    }

    /// Makes a block and stores it: all changes of the state are committed after `store` returns, or none.
    ///
    /// - Parameters:
    ///   - cutSequence: The stream sequence of the cut's message.
    ///   - messages: The messages of the block, in order.
    ///   - store: Writes the block to the stores.
    /// - Throws: ``LoaderError``; everything that `store` throws.
    package func add<Result>(
        _ cut: BlockCut, cutSequence: Int64, _ messages: [StreamMessage], store: (Block) throws -> Result
    ) throws -> Result {
        let now = self.now().microseconds
        var stored: Swift.Result<Result, any Error>?
        do {
            try queue.inTransaction { db in
                var register = try LineRegister(db)
                var builder = BlockBuilder(cut, register)
                for message in messages { try builder.add(message) }
                let block = builder.finish()
                let accounts = InstallAccounts(db)
                try accounts.add(messages, at: now)
                try accounts.settle(Set(messages.map(\.installID)), at: now, gapAge: gapAge)
                // After the block, whose verdicts must be the same if it is made again. More than it adds, so that the
                // state shrinks to what it may keep.
                let newest = min(now, messages.map(\.receivedAt.microseconds).max() ?? 0)
                try register.removeHashes(
                    before: newest / microsecondsPerDay - hashDays, limit: 100 + 4 * messages.count)
                do { stored = .success(try store(block)) } catch {
                    stored = .failure(error)
                    return .rollback
                }
                try db.execute(
                    sql: "UPDATE meta SET block = ?, through = ?, cut = ?",
                    arguments: [cut.number, cut.through, cutSequence])
                return .commit
            }
        } catch {
            // A commit that failed may have reached the file.
            position = (try? queue.read(Self.position)) ?? position
            throw failure(error)
        }
        guard let stored else { throw failure(DatabaseError(message: "the transaction did not run")) }
        let result = try stored.get()
        position.block = cut.number
        position.through = cut.through
        position.cut = cutSequence
        mayHaveVerdicts = true
        return result
    }

    /// Makes verdicts about gaps that have become old.
    ///
    /// - Throws: ``LoaderError``.
    package func settleOldGaps() throws(LoaderError) {
        do {
            let now = self.now().microseconds
            try queue.write { try InstallAccounts($0).settleOldGaps(at: now, gapAge: gapAge) }
        } catch { throw failure(error) }
        mayHaveVerdicts = true
    }

    /// The verdicts that the stream does not have yet, by the id of their rows.
    ///
    /// - Throws: ``LoaderError``.
    package func unpublishedVerdicts() throws(LoaderError) -> [(id: Int64, verdict: InstallVerdict)] {
        guard mayHaveVerdicts else { return [] }
        do {
            let verdicts = try queue.read { try InstallAccounts($0).unpublishedVerdicts() }
            mayHaveVerdicts = !verdicts.isEmpty
            return verdicts
        } catch { throw failure(error) }
    }

    /// Notes that the stream has verdicts.
    ///
    /// - Throws: ``LoaderError``.
    package func published(_ verdicts: [(id: Int64, verdict: InstallVerdict)]) throws(LoaderError) {
        do { try queue.write { try InstallAccounts($0).published(verdicts) } } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> LoaderError {
        LoaderError(
            .cannotOpen, "cannot use \(path): \(error); check the free space", underlyingError: error)
    }
}

private let microsecondsPerDay: Int64 = 86_400_000_000
