import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import GRDB

@testable import CollectorStore

/// A data folder that is removed with its owner.
final class DataFolder: Sendable {
    private let folder: TemporaryFolder?
    let path: String

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        path = folder.path("data")
    }

    /// A folder that the caller removes.
    init(path: String) {
        folder = nil
        self.path = path
    }

    func open(_ change: (inout BatchStore.Options) -> Void = { _ in }) throws -> BatchStore {
        var options = BatchStore.Options()
        options.now = { .init(microseconds: 0) }
        // A slow machine must not end a group before its test does.
        options.maximumGroupTime = .seconds(600)
        change(&options)
        return try BatchStore(folder: path, options: options)
    }

    /// Opens a store, and closes it after `body`.
    func with<Result>(
        _ change: (inout BatchStore.Options) -> Void = { _ in }, _ body: (BatchStore) async throws -> Result
    ) async throws -> Result {
        let store = try open(change)
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func removeIndex() throws {
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: file("index.sqlite" + suffix)) {
            try FileManager.default.removeItem(atPath: file("index.sqlite" + suffix))
        }
    }

    /// The names of all segments, in order.
    func segments() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file("segments")).sorted().map { "segments/" + $0 }
    }

    /// All files below the folder.
    func allFiles() throws -> [String] {
        (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).sorted().filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: file(name), isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    /// Each line of each valid frame, as `install seq line`, in the order of the segments.
    func storedLines() throws -> [String] {
        var lines: [String] = []
        try forEachBatch { _, batch in
            batch.forEachLine { index, line in
                lines.append(
                    "\(batch.installID) \(batch.lines[index].seq) \(String(decoding: line, as: UTF8.self))")
            }
        }
        return lines
    }

    func forEachBatch(_ body: (_ number: Int64, _ batch: BatchFrame) throws -> Void) throws {
        let segments = try Segments(StoreFolder(path: path), SystemFiles(), collector: nil)
        for (index, segment) in segments.found.enumerated() {
            let limit = segments.found[(index + 1)...].map(\.header.firstFrame).min() ?? .max
            try segments.scan(segment) { frame in
                guard frame.number < limit, FrameContent.isBatch(frame.kind),
                    case .batch(let batch)? = try frame.payload.withUnsafeBytes({
                        try FrameContent(kind: frame.kind, $0)
                    })
                else { return }
                try body(frame.number, batch)
            }
        }
    }

    /// Changes the index. The store must be closed.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: file("index.sqlite"))
        defer { try? queue.close() }
        try queue.inDatabase { try $0.execute(sql: sql) }
    }

    /// The content of the index, without its own row ids. The store must be closed.
    func indexContent() throws -> [String] {
        let queue = try DatabaseQueue(path: file("index.sqlite"))
        defer { try? queue.close() }
        return try queue.read { db in try Self.queries.flatMap { try String.fetchAll(db, sql: $0) } }
    }

    private static let queries = [
        "SELECT 'meta ' || name || ' ' || value FROM meta WHERE name != 'clean' ORDER BY 1",
        "SELECT format('segment %d %d %d %d %d', number, generation, first_frame, last_frame, newest) FROM segments ORDER BY number",
        "SELECT 'expired ' || number FROM expired_segments ORDER BY number",
        """
        SELECT format('install %s %s %d %d %d %d', install, hex(secret_hash), first_seen, last_seen, highest, complete_to)
        FROM installs ORDER BY install
        """,
        """
        SELECT format('numbers %s %d %d %d', i.install, first, last, fate) FROM numbers n JOIN installs i ON i.id = n.install
        ORDER BY i.install, first
        """,
        """
        SELECT format('run %s %d %d %d %d %d', i.install, first, last, receipt, ordinal, hash) FROM runs r
        JOIN installs i ON i.id = r.install ORDER BY i.install, first
        """,
        """
        SELECT format('batch %d %s %s %s %d %d %d %d', receipt, i.install, hex(key), hex(digest), received_at, first, last, lines)
            || format(' %d %d %d %d %d %s', min_time, max_time, segment, offset, length, hex(users))
        FROM batches b JOIN installs i ON i.id = b.install ORDER BY receipt
        """,
        "SELECT format('hashes %d %s', receipt, hex(bytes)) FROM hashes ORDER BY receipt",
        """
        SELECT format('kept %s %d', i.install, frame) FROM kept_states k JOIN installs i ON i.id = k.install ORDER BY i.install
        """,
        """
        SELECT format('message %s %s %d %d %d', i.install, hex(key), seq, frame, received_at)
        FROM messages m JOIN installs i ON i.id = m.install ORDER BY i.install, key
        """,
        "SELECT format('user %d %d', user, receipt) FROM batch_users ORDER BY receipt, user",
        """
        SELECT format('schema %s %s %d', s.schema, s.name, receipt) FROM batch_schemas b JOIN schemas s ON s.id = b.schema
        ORDER BY receipt, s.schema
        """,
        """
        SELECT format('reject %d %d %s %d %s', receipt, line, i.install, seq, code) FROM rejects r
        JOIN installs i ON i.id = r.install ORDER BY receipt, line
        """,
        """
        SELECT format('ledger %s %s %d %d %d %d %d', i.install, reason, first, last, count, first_time, last_time)
        FROM ledger l JOIN installs i ON i.id = l.install ORDER BY i.install, reason, first
        """,
        """
        SELECT format('fork %s %d %d %s %s %s', i.install, frame, seen_at, hex(key), hex(acknowledged), hex(forked))
        FROM forks f JOIN installs i ON i.id = f.install ORDER BY i.install, frame
        """,
        """
        SELECT format('erasure %d %s %s %s %s %d %s', frame, i.install, hex(key), hex(digest), hex(user), through, hex(named))
            || format(' %d %d %d %d %d', events, kept, segment, offset, length)
        FROM erasures e JOIN installs i ON i.id = e.install ORDER BY frame
        """,
    ]

    /// The index, rebuilt from the segments.
    func rebuiltIndexContent() async throws -> [String] {
        try removeIndex()
        try await with { _ in }
        return try indexContent()
    }
}

extension BatchStore {
    /// The kind of error with which a submission fails; nil if it does not.
    func failure(of submission: Submission) async -> StoreError.Code? {
        do throws(StoreError) {
            _ = try await submit(submission)
            return nil
        } catch {
            return error.code
        }
    }
}

extension SubmissionOutcome {
    /// The receipt, if the submission was accepted.
    var receipt: Receipt? { if case .accepted(let receipt, _) = self { receipt } else { nil } }
}

/// Random numbers from a seed.
struct SeededGeneratorBox {
    var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
}
