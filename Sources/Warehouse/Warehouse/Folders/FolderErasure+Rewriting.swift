internal import Foundation
internal import LogFiles

extension FolderErasure {
    /// Rewrites a file without the user's rows. A damaged file stays, and is reported.
    func rewriteOrReport(_ file: Found) throws {
        guard !Interruption.isRequested else { throw LoaderError.interruptedErasure }
        do { try rewrite(file) } catch let error as DamagedFile {
            damage(file.path, error.text)
            try FileChanges.recover(folder, calls)
        }
    }

    private func rewrite(_ found: Found) throws {
        var file = found
        if file.entries.isEmpty {
            let lock = try FolderLock(folder.full(".files.lock"), LOCK_EX)
            defer { lock.close() }
            file = try makeFound(file.path, file.kind, rows: file.rows)
            if file.entries.isEmpty {
                var changes = try FileChanges(folder, calls)
                let rest = try writeRest(of: file, to: &changes)
                try changes.commit(isRecorded: false)
                return count(file, rest.removed)
            }
        }
        // The loader may have completed the block.
        if found.entries.isEmpty { try verify(file) }
        var changes = try FileChanges(folder, calls)
        let rest = try writeRest(of: file, to: &changes)
        let rows = try rows(of: file, draft: rest.draft)
        for entry in file.entries { try changeManifest(of: entry, of: file, rest: rest, rows: rows, &changes) }
        if let path = file.record {
            var record = try folder.decoded(path, CompactionRecord.init)
            record.parquet.digest = rest.digest
            for index in record.files.indices {
                let removed = record.files[index].block.flatMap { rest.removed[$0] } ?? 0
                record.files[index].rows -= removed
                record.parquet.rows -= removed
            }
            try changes.add(path, record.text)
        }
        try changes.commit()
        count(file, rest.removed)
    }

    private func changeManifest(
        of entry: (block: String, path: String), of file: Found, rest: Rest, rows: BlockRows,
        _ changes: inout FileChanges
    ) throws {
        let removed = rest.removed[entry.block] ?? 0
        guard var manifest = try folder.manifest(entry.block),
            let index = manifest.files.firstIndex(where: { $0.path == entry.path })
        else { throw DamagedFile("has no entry in \(LoaderFolder.manifestPath(entry.block))") }
        manifest.files[index].rows -= removed
        // After compaction, `bytes` and `sha256` stay those of the file that no longer exists.
        if file.record == nil {
            manifest.files[index].bytes = rest.digest.bytes
            manifest.files[index].sha256 = rest.digest.sha256
        }
        let installs = rows.installs(of: entry.block)
        let before = manifest.installs.reduce(0) { $0 + $1.count }
        guard before - removed == installs.reduce(0, { $0 + $1.count }) else {
            throw LoaderError(
                .rejected,
                "\(file.path): the remaining rows are not as many as expected: internal error; please report it")
        }
        manifest.installs = installs
        try changes.add(LoaderFolder.manifestPath(entry.block), manifest.text)
    }

    private func count(_ file: Found, _ removed: [String: Int64]) {
        result.counts[file.kind, default: Count()].rewritten += 1
        result.counts[file.kind, default: Count()].removed += removed.values.reduce(0, +)
    }

    /// The remaining rows of a file.
    private struct Rest {
        var draft: String
        var digest: FileDigest
        /// The number of removed rows by block.
        var removed: [String: Int64]
    }

    /// Writes the rows of other users to a draft, and compares them with the file.
    private func writeRest(of file: Found, to changes: inout FileChanges) throws -> Rest {
        let lost = LoaderError(
            .rejected, "\(file.path): the remaining rows differ from the file's: internal error; please report it")
        if file.kind == .lines {
            let split = try userRows.split(try RowFile.read(folder.full(file.path)))
            let draft = try changes.add(file.path, try RowFile.compress(split.kept))
            guard try RowFile.read(folder.full(draft.path)) == split.kept else { throw lost }
            let removed = Dictionary(grouping: split.rows, by: \.block).mapValues { Int64($0.count) }
            return Rest(draft: draft.path, digest: draft.digest, removed: removed)
        }
        let user = DuckDB.literal(userRows.user)
        let others =
            "(SELECT * FROM \(DuckDB.parquet([folder.full(file.path)])) WHERE user_id IS DISTINCT FROM \(user))"
        func content(_ relation: String) throws -> [UInt8] {
            try duckdb.run("SELECT count(*), sum(hash(one)) FROM \(relation) AS one")
        }
        do {
            let before = try content(others)
            // Through a pipe: if this is killed, DuckDB writes nothing more.
            let draft = try changes.add(file.path) { write in
                try duckdb.run(
                    """
                    COPY (SELECT * FROM \(others)) TO '/dev/stdout' \
                    (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)
                    """
                ) { try $0.withUnsafeBytes(write) }
            }
            guard try content(DuckDB.parquet([folder.full(draft.path)])) == before else { throw lost }
            let removed = Dictionary(grouping: file.rows, by: \.block).mapValues { Int64($0.count) }
            return Rest(draft: draft.path, digest: draft.digest, removed: removed)
        } catch is DuckDB.Failure { throw DamagedFile("cannot be read") }
    }
}
