internal import EventLog
package import EventModel
internal import Foundation
internal import GRDB
internal import Primitives

/// Erases events from damaged files that were moved aside. Unreadable parts may contain anything, so they are
/// removed, too.
package enum QuarantinedFile {
    /// Rebuilds a damaged database from its readable events, except those that `isErased` selects. The file keeps its
    /// name.
    ///
    /// If killed at any point, it leaves either the old or the new file; run it again to continue.
    ///
    /// - Returns: The number of erased events; nil if nothing was readable, and the file was removed.
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
            try? old.close()  // loses only the error of closing: it was only read
            // From here on, the new file replaces the old one. It is renamed only after the old -wal file is deleted,
            // which SQLite would otherwise apply to it.
            // The checkpoint has synced the new file.
            try SystemCalls().publish(draft, as: path + finishedSuffix)
            try finish(path)
            return count
        } catch {
            remove(draft)
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// The suffix of a rebuilt database until it replaces the old one.
    package static let finishedSuffix = ".erased"

    /// Completes the replacement of a database by its rebuilt copy, after a process was killed.
    ///
    /// - Throws: ``/EventLog/EventLogError``.
    package static func finish(_ path: String) throws {
        let finished = path + finishedSuffix
        guard access(finished, F_OK) == 0 else { return }
        do {
            for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
            try SystemCalls().syncFolder(of: path)
            try SystemCalls().publish(finished, as: path)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// Removes the draft of a killed erasure.
    package static func removeDraft(of path: String) { remove(path + ".erasing") }

    private static func rebuild(
        _ old: DatabaseQueue, as draft: String, where isErased: @escaping (BorrowedEvent) -> Bool
    ) throws -> Int64 {
        let options = SQLiteEventStore.Options(installID: { "" })
        let new = try LogOpening.openDatabase(draft, options)
        let count = try new.writeWithoutTransaction { db in
            try DatabaseSchema.createIfEmpty(db) { "" }
            try Salvage.copy(from: old, into: db)
            var erasure = RowErasure(where: isErased)
            var last: Int64 = 0
            var count: Int64 = 0
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
    /// Overwrites everything in a ring except intact records of events that `isErased` does not select.
    ///
    /// - Returns: The number of erased events.
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

    /// Calls `body` with the events of all intact records of a ring.
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

    /// Calls `body` with intact records, and with the bytes between them in pieces of up to eight.
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
