internal import Foundation
import GRDB

/// Takes events out of files that were put aside as damaged. What cannot be read in them may hold anything: it goes,
/// too.
package enum QuarantinedFile {
    /// Makes a damaged database anew, of what can be read of it and `isErased` does not pick. The file keeps its name.
    ///
    /// Killed at any point, it leaves the old file or the new one; run again, it starts anew.
    ///
    /// - Returns: How many events went; nil if nothing of the file could be read, and it was removed.
    /// - Throws: ``EventLogError``.
    package static func eraseDatabase(
        _ path: String, where isErased: @escaping (BorrowedEvent) -> Bool
    ) throws -> Int64? {
        let draft = path + ".erasing"
        do {
            remove(draft)
            var count: Int64?
            let source = SalvageSource(path)
            if let old = try source.open() {
                count = try rebuild(old, as: draft, where: isErased)
                try? old.close()  // it was only read
                guard rename(draft, path) == 0 else { throw SystemError("rename", path: path) }
            } else {
                unlink(path)
            }
            // Their pages are in the new one, as far as they could be read.
            for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            return count
        } catch {
            remove(draft)
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// Removes what an erasure that was killed has left of its work.
    package static func removeDraft(of path: String) { remove(path + ".erasing") }

    private static func rebuild(
        _ old: DatabaseQueue, as draft: String, where isErased: @escaping (BorrowedEvent) -> Bool
    ) throws -> Int64 {
        let options = SQLiteEventStore.Options(installID: { "" })
        let new = try LogOpening.openDatabase(draft, options)
        let count = try new.writeWithoutTransaction { db in
            try DatabaseSchema.migrate(db) { "" }
            try Salvage.copy(from: old, into: db)
            var erasure = Erasure(where: isErased)
            var (last, count): (Int64, Int64) = (0, 0)
            while true {
                var step = Erasure.Step()
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

    /// Overwrites in a ring all but the whole records of events that `isErased` does not pick.
    ///
    /// - Returns: How many events went.
    /// - Throws: ``EventLogError``.
    package static func eraseRing(_ path: String, where isErased: (BorrowedEvent) -> Bool) throws -> Int64 {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        do {
            guard descriptor >= 0 else { throw SystemError("open", path: path) }
            let size = Int(lseek(descriptor, 0, SEEK_END))
            guard size > 0 else {
                close(descriptor)
                return 0
            }
            let file = try MappedFile(path: path, descriptor: descriptor, size: size, isWritable: true)
            var (offset, count): (Int, Int64) = (min(JournalRing.headerSize, size), 0)
            while offset < size {
                let room = (size - offset) & ~7
                let record = JournalRecord(base: file.bytes + offset)
                guard record.isValid(room: room, position: nil) else {
                    let end = min(offset + 8, size)
                    (file.bytes + offset).initializeMemory(as: UInt8.self, repeating: 0, count: end - offset)
                    offset = end
                    continue
                }
                let length = record.size
                if record.event?.borrowed(isErased) ?? false {
                    (file.bytes + offset).initializeMemory(as: UInt8.self, repeating: 0, count: length)
                    count += 1
                }
                offset += length
            }
            guard msync(file.bytes, size, MS_SYNC) == 0 else { throw SystemError("msync", path: path) }
            return count
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
