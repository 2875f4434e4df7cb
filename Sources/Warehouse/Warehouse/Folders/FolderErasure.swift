internal import DeliveryProtocol
internal import Foundation
internal import JSONLines
package import Primitives

/// Removes a user's events from a loader's folder, from JSON lines and Parquet files, and proves it: afterwards all files are
/// searched again.
///
/// Events are found by the column `user_id`, exactly. Rows of other users that have the id somewhere are counted as mentions,
/// and stay. Parquet files are read and written by DuckDB's command-line program.
///
/// **How a file is rewritten.** The file is compared with its digest, and the rows of its blocks with their manifests: a damaged
/// file stays, and is reported. The remaining rows, the changed manifests and the changed record of the compaction replace the
/// old ones as one ``FileChanges``, so that a kill at any moment is harmless, and a file that differs from its manifest is always
/// damage. Drafts have only what remains: compaction, or the erasure of another user, can finish the change without the id.
///
/// **Completeness.** Before the first row is removed, the numbers that no row of `numbers` states as erased are added as
/// `numbers/dt=…/erased-<n>.jsonl.zst`. The stream yields erased numbers only for what it still has. A number that is erased and
/// stored counts as erased, so this order explains each number at any time. Rows of forks need none: they don't count as stored.
///
/// **Next to a loader.** A loader never writes a block again that has a manifest. Other files are rewritten alone, while
/// `.files.lock` is held exclusively, and without a recorded decision: the loader may have written the block again before the next
/// run. No loader writes while the lock is held, so drafts in the folders of hours are those of killed loaders. They are deleted.
package final class FolderErasure {
    /// The kinds of files in the result.
    package enum Kind: String, CaseIterable, Sendable {
        case lines = "events, JSON lines"
        case parquet = "events, Parquet"
        case numbers
        case records = "manifests, records"
        case others = "other files"
    }

    package struct Count: Equatable, Sendable {
        /// The number of files that were searched at the end.
        package var files: Int64 = 0
        package var rewritten: Int64 = 0
        /// Events that were removed.
        package var removed: Int64 = 0
        /// Events that are still found.
        package var left: Int64 = 0
        /// What has the id and remains: rows of other users, and files.
        package var mentions: Int64 = 0
    }

    package struct Result: Sendable {
        package var counts: [Kind: Count] = [:]
        /// Ranges of numbers that were recorded as erased.
        package var recordedRanges = 0
        /// Drafts of killed loaders that were deleted.
        package var deletedDrafts = 0
        /// Files that cannot be read, or differ from their manifests.
        package var damaged: Set<String> = []

        package subscript(kind: Kind) -> Count { counts[kind] ?? Count() }
    }

    /// A file with events of the user.
    struct Found {
        var path: String
        var kind: Kind
        var rows: [UserRow]
        /// The complete blocks of the rows, each with its path in its manifest.
        var entries: [(block: String, path: String)] = []
        /// The record of the compaction that wrote the file.
        var record: String?
    }

    let folder: LoaderFolder
    let duckdb: DuckDB
    let calls: any FileCalls
    let userRows: UserRows
    var result = Result()
    private let grace: Duration
    private let report: (String) -> Void
    private let lock: FolderLock
    /// The records of compactions by their Parquet files.
    private var records: [String: String] = [:]
    /// The Parquet files by the files that they replaced.
    private var replaced: [String: String] = [:]

    /// Locks the folder against other maintenance until this is deallocated. Changes nothing else.
    ///
    /// - Parameters:
    ///   - user: The exact `user_id`; not empty.
    ///   - duckdb: DuckDB's command-line program. Folders without Parquet files don't need it.
    ///   - grace: How long readers may use a listing of the folder, if this finishes a compaction that was killed.
    ///   - report: Called with a line of text for each damaged file.
    /// - Throws: `LoaderError`: `missingFolder`, `inUse`, `cannotOpen`, `unavailable`.
    package init(
        folder: String, user: String, duckdb: String, grace: Duration, calls: any FileCalls = SystemCalls(),
        report: @escaping (String) -> Void
    ) throws(LoaderError) {
        self.folder = LoaderFolder(root: folder)
        self.duckdb = DuckDB(program: duckdb)
        self.calls = calls
        self.grace = grace
        self.report = report
        userRows = UserRows(user)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(folder)/events", isDirectory: &isFolder), isFolder.boolValue
        else { throw LoaderError.noLoaderFolder(folder) }
        do { lock = try FolderLock("\(folder)/.maintenance.lock", LOCK_EX | LOCK_NB) } catch let error as SystemError
            where error.code == EWOULDBLOCK
        {
            throw LoaderError(.inUse, "\(folder) is locked by another compaction or erasure; try again later")
        } catch {
            throw LoaderError(.cannotOpen, "cannot lock \(folder): \(error)", underlyingError: error)
        }
        try checkProgram()
    }

    /// Fails before anything is erased, if DuckDB is needed and missing.
    private func checkProgram() throws(LoaderError) {
        guard !folder.files(.events, ".parquet").isEmpty || !folder.files(.numbers, ".parquet").isEmpty else { return }
        do { _ = try duckdb.run("SELECT 1") } catch let error as LoaderError { throw error } catch {
            throw LoaderError(.unavailable, "cannot run \(duckdb.program); pass --duckdb PATH", underlyingError: error)
        }
    }

    deinit { lock.close() }

    /// Erases the user. If it is interrupted, run it again.
    ///
    /// - Throws: `LoaderError`.
    package func run() throws(LoaderError) -> Result {
        do {
            try UnfinishedCompactions(folder: folder, calls: calls, grace: grace).finish()
            try FileChanges.recover(folder, calls)
            try deleteDrafts()
            try readRecords()
            let found = try find().filter(isIntact)
            try addNumbers(of: found)
            for file in found { try rewriteOrReport(file) }
            try search()
            return result
        } catch let error as LoaderError {
            throw error
        } catch let error as DamagedFile {
            throw LoaderError(.damagedFile, "\(folder.root): \(error.text)")
        } catch {
            throw LoaderError(
                .cannotOpen, "cannot erase in \(folder.root): \(error); check its owner and the free space",
                underlyingError: error)
        }
    }

    func damage(_ path: String, _ text: String) {
        if result.damaged.insert(path).inserted { report("\(path) \(text)") }
    }

    private func readRecords() throws {
        for name in folder.names(in: "compactions") where name.hasSuffix(".json") {
            let record = try folder.decoded("compactions/\(name)", CompactionRecord.init)
            records[record.parquet.path] = "compactions/\(name)"
            for file in record.files { replaced[file.path] = record.parquet.path }
        }
    }

    /// Drafts may have events of the user.
    private func deleteDrafts() throws {
        let lock = try FolderLock(folder.full(".files.lock"), LOCK_EX)
        defer { lock.close() }
        for path in folder.files(.events, "\(RowFile.suffix).draft") {
            try calls.remove(folder.full(path))
            result.deletedDrafts += 1
        }
    }

    // MARK: Finding

    private func find() throws -> [Found] {
        var found: [Found] = []
        for path in folder.files(.events, RowFile.suffix) {
            do {
                let rows = try userRows.split(try RowFile.read(folder.full(path))).rows
                if !rows.isEmpty { found.append(try makeFound(path, .lines, rows: rows)) }
            } catch let error as DamagedFile { damage(path, error.text) }
        }
        var rows: [String: [UserRow]] = [:]
        try query(folder.files(.events, ".parquet")) { relation in
            """
            SELECT to_json({file: file, install_id: install_id, seq: seq, fork: fork, block: block, batch: batch,
                collector: collector, received_at: strftime(received_at, '%Y-%m-%d %H:%M:%S.%f')})
            FROM \(relation) WHERE user_id = \(DuckDB.literal(userRows.user))
            """
        } row: { path, row throws(BatchHeaderError) in
            rows[path, default: []].append(
                UserRow(
                    installID: try row.text("install_id", at: ""), seq: try row.whole("seq", at: "", from: 0),
                    fork: try row.text("fork", at: ""), block: try row.text("block", at: ""),
                    batch: try row.text("batch", at: ""), collector: try row.text("collector", at: ""),
                    receivedAt: try row.text("received_at", at: "")))
        }
        for (path, rows) in rows.sorted(by: { $0.key < $1.key }) {
            found.append(try makeFound(path, .parquet, rows: rows))
        }
        return found
    }

    func makeFound(_ path: String, _ kind: Kind, rows: [UserRow]) throws -> Found {
        var found = Found(path: path, kind: kind, rows: rows)
        if kind == .lines {
            let block = String((path as NSString).lastPathComponent.dropLast(RowFile.suffix.count))
            if try folder.manifest(block)?.files.contains(where: { $0.path == path }) == true {
                found.entries = [(block, path)]
            }
        } else if let record = records[path] {
            let blocks = Set(rows.map(\.block))
            found.record = record
            for file in try folder.decoded(record, CompactionRecord.init).files {
                if let block = file.block, blocks.contains(block) { found.entries.append((block, file.path)) }
            }
        }
        return found
    }

    /// Runs a query on Parquet files, 200 at a time. Files that cannot be read are reported.
    ///
    /// - Parameters:
    ///   - sql: The query of a relation, which has a column `file`; it gives JSON objects with a member `file`.
    ///   - row: Called with the rows of files that can be read, and the path in the folder.
    /// - Returns: The paths of these files.
    @discardableResult
    func query(
        _ paths: [String], sql: (_ relation: String) -> String,
        row: (_ path: String, _ row: JSONValue) throws(BatchHeaderError) -> Void
    ) throws -> [String] {
        var readable: [String] = []
        for start in stride(from: 0, to: paths.count, by: 200) {
            let batch = Array(paths[start..<min(paths.count, start + 200)])
            do {
                let files = DuckDB.parquet(batch.map(folder.full), hasNames: true)
                for object in try objects(sql("(SELECT * FROM \(files))")) {
                    let file = try object.text("file", at: "")
                    try row(String(file.dropFirst(folder.root.count + 1)), object)
                }
                readable += batch
            } catch is DuckDB.Failure where batch.count > 1 {
                for path in batch { readable += try query([path], sql: sql, row: row) }
            } catch is DuckDB.Failure {
                damage(batch[0], DamagedFile("cannot be read").text)
            }
        }
        return readable
    }

    /// The JSON objects that a query gives.
    func objects(_ sql: String) throws -> [JSONValue] {
        try duckdb.run(sql).split(separator: UInt8(ascii: "\n")).map { line in
            guard let value = JSONValue(validating: line) else {
                throw LoaderError(.rejected, "\(duckdb.program): unexpected output for \(folder.root)")
            }
            return value
        }
    }

    // MARK: Verification

    private func isIntact(_ file: Found) throws -> Bool {
        do {
            try verify(file)
            return true
        } catch let error as DamagedFile {
            damage(file.path, error.text)
            return false
        }
    }

    /// Compares a file with its digest, and its blocks with their manifests.
    func verify(_ file: Found) throws {
        guard let first = file.entries.first else { return }
        guard Set(file.rows.map(\.block)) == Set(file.entries.map(\.block)) else {
            throw DamagedFile("has rows of another block")
        }
        let source = file.record ?? LoaderFolder.manifestPath(first.block)
        let digest =
            try file.record.map { try folder.decoded($0, CompactionRecord.init).parquet.digest.sha256 }
            ?? folder.manifest(first.block)?.files.first { $0.path == file.path }?.sha256
        guard try folder.digest(file.path).sha256 == digest else {
            throw DamagedFile("differs from the SHA-256 in \(source)")
        }
        let rows = try rows(of: file)
        for (block, _) in file.entries {
            guard try rows.installs(of: block) == folder.manifest(block)?.installs.sortedByInstall else {
                throw DamagedFile(
                    "or another file of block \(block) differs from the ranges or hashes in \(LoaderFolder.manifestPath(block))"
                )
            }
        }
    }

    /// The rows of all files of a file's blocks.
    ///
    /// - Parameter draft: Is read instead of the file.
    func rows(of file: Found, draft: String? = nil) throws -> BlockRows {
        var rows = BlockRows()
        var parquet: Set<String> = []
        let blocks = Set(file.entries.map(\.block))
        for block in blocks {
            for entry in try folder.manifest(block)?.files ?? [] where entry.table == .events {
                if folder.exists(entry.path) {
                    try rows.add(
                        try RowFile.read(folder.full(entry.path == file.path ? draft ?? file.path : entry.path)))
                } else if let path = replaced[entry.path] {
                    parquet.insert(path == file.path ? draft ?? path : path)
                } else {
                    throw DamagedFile("\(entry.path) of block \(block) is missing, and no file in compactions lists it")
                }
            }
        }
        guard !parquet.isEmpty else { return rows }
        do {
            for row in try objects(BlockRows.sql(of: parquet.sorted().map(folder.full), blocks: blocks)) {
                try rows.add(row)
            }
        } catch is DuckDB.Failure { throw DamagedFile("or another file of its blocks cannot be read") }
        return rows
    }
}

extension LoaderError {
    static let interruptedErasure = LoaderError(.interrupted, "the erasure was interrupted; run it again")
}
