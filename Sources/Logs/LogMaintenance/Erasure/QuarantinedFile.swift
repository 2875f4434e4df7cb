internal import EventLog
package import EventModel
internal import Foundation
internal import GRDB

/// Takes events out of files that were put aside as damaged. What cannot be read in them may hold anything: it goes,
/// too.
package enum QuarantinedFile {
    /// Makes a damaged database anew, of what can be read of it and `isErased` does not pick. The file keeps its name.
    ///
    /// Killed at any point, it leaves the old file or the new one; run again, it goes on.
    ///
    /// - Returns: How many events went; nil if nothing of the file could be read, and it was removed.
    /// - Throws: ``/EventLog/EventLogError``.
    package static func eraseDatabase(
        _ path: String, where isErased: @escaping (BorrowedEvent) -> Bool
    ) throws -> Int64? {
        let draft = path + ".erasing"
        do {
            try finish(path)
            remove(draft)
            let source = SalvageSource(path)
            guard let old = try source.open() else {
                remove(path)
                return nil
            }
            let count = try rebuild(old, as: draft, where: isErased)
            try? old.close()  // it was only read
            // From here on the old file counts no more. It keeps its name until nothing of it lies beside the new one:
            // SQLite would write the pages of an old -wal file over it.
            guard rename(draft, path + finishedSuffix) == 0 else { throw SystemError("rename", path: path) }
            try syncFolder(of: path)
            try finish(path)
            return count
        } catch {
            remove(draft)
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// The end of the name of a database that was made anew and stands beside the old one still.
    package static let finishedSuffix = ".erased"

    /// Puts a database that was made anew in the place of the old one, as whoever was killed would have done.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    package static func finish(_ path: String) throws {
        let finished = path + finishedSuffix
        guard access(finished, F_OK) == 0 else { return }
        do {
            for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
            try syncFolder(of: path)
            guard rename(finished, path) == 0 else { throw SystemError("rename", path: path) }
            try syncFolder(of: path)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// Removes what an erasure that was killed has left of its work.
    package static func removeDraft(of path: String) { remove(path + ".erasing") }

    private static func syncFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", path: folder) }
    }

    private static func rebuild(
        _ old: DatabaseQueue, as draft: String, where isErased: @escaping (BorrowedEvent) -> Bool
    ) throws -> Int64 {
        let options = SQLiteEventStore.Options(installID: { "" })
        let new = try LogOpening.openDatabase(draft, options)
        let count = try new.writeWithoutTransaction { db in
            try DatabaseSchema.migrate(db) { "" }
            try Salvage.copy(from: old, into: db)
            var erasure = RowErasure(where: isErased)
            var (last, count): (Int64, Int64) = (0, 0)
            try db.inTransaction {
                try RowErasure.eraseApart(db, where: isErased)
                return .commit
            }
            while true {
                var step = RowErasure.Step()
                try db.inTransaction {
                    step = try erasure.step(db, after: last)
                    return .commit
                }
                count += step.events
                guard let end = step.last else { break }
                last = end
            }
            try db.execute(sql: "VACUUM")
            _ = try db.checkpoint(.truncate)
            return count
        }
        try new.close()
        return count
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

extension QuarantinedFile {
    /// Overwrites in a ring all but the whole records of events that `isErased` does not pick.
    ///
    /// - Returns: How many events went.
    /// - Throws: ``/EventLog/EventLogError``.
    package static func eraseRing(_ path: String, where isErased: (BorrowedEvent) -> Bool) throws -> Int64 {
        try withRing(path, isWritable: true) { ring in
            var count: Int64 = 0
            forEachPart(of: ring) { part, record in
                if let record {
                    guard record.event?.borrowed(isErased) ?? false else { return }
                    count += 1
                }
                part.initializeMemory(as: UInt8.self, repeating: 0)
            }
            guard msync(ring.bytes, ring.size, MS_SYNC) == 0 else { throw SystemError("msync", path: path) }
            return count
        } ?? 0
    }

    /// Shows the events of all whole records in a ring.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    package static func forEachEvent(inRing path: String, _ body: (BorrowedEvent) -> Void) throws {
        _ = try withRing(path, isWritable: false) { ring in
            forEachPart(of: ring) { _, record in record?.event?.borrowed(body) }
        }
    }

    /// Maps a ring; nil for an empty file.
    private static func withRing<T>(_ path: String, isWritable: Bool, _ body: (MappedFile) throws -> T) throws -> T? {
        do {
            let descriptor = open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemError("open", path: path) }
            let size = Int(lseek(descriptor, 0, SEEK_END))
            guard size > 0 else {
                close(descriptor)
                return nil
            }
            return try body(MappedFile(path: path, descriptor: descriptor, size: size, isWritable: isWritable))
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// Shows whole records, and between them pieces of at most eight bytes that are none.
    private static func forEachPart(
        of ring: MappedFile, _ body: (UnsafeMutableRawBufferPointer, WholeRecord?) -> Void
    ) {
        var offset = min(JournalRing.headerSize, ring.size)
        while offset < ring.size {
            let location = JournalRecord(base: ring.bytes + offset)
            let record = location.whole(room: (ring.size - offset) & ~7, position: nil)
            let length = record?.size ?? min(8, ring.size - offset)
            body(UnsafeMutableRawBufferPointer(start: ring.bytes + offset, count: length), record)
            offset += length
        }
    }
}
