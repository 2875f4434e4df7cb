internal import Foundation

extension QuarantinedFile {
    /// Overwrites in a ring all but the whole records of events that `isErased` does not pick.
    ///
    /// - Returns: How many events went.
    /// - Throws: ``EventLogError``.
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
    /// - Throws: ``EventLogError``.
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
        of ring: MappedFile, _ body: (UnsafeMutableRawBufferPointer, JournalRecord?) -> Void
    ) {
        var offset = min(JournalRing.headerSize, ring.size)
        while offset < ring.size {
            let record = JournalRecord(base: ring.bytes + offset)
            let isWhole = record.isValid(room: (ring.size - offset) & ~7, position: nil)
            let length = isWhole ? record.size : min(8, ring.size - offset)
            body(
                UnsafeMutableRawBufferPointer(start: ring.bytes + offset, count: length), isWhole ? record : nil)
            offset += length
        }
    }
}
