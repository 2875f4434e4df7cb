internal import Foundation

/// The state of a write-ahead log, from the log and its index: https://www.sqlite.org/walformat.html
struct WriteAheadLog {
    /// The file's size in bytes.
    let size: Int64
    /// Valid frames; excludes older ones after them.
    let frames: Int64
    /// Frames whose pages are not in the database yet.
    let pending: Int64
    /// Whether the index refers to more frames than exist.
    let isIndexStale: Bool

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Reads the files next to a database; nil if neither exists.
    init?(database: String) {
        let log = database + "-wal"
        let index = database + "-shm"
        let facts = FileFacts(log)
        guard facts != nil || FileFacts(index) != nil else { return nil }
        size = facts?.size ?? 0
        let count = Self.frames(log, size: facts?.size ?? 0)
        frames = count
        let header = Self.index(index)
        pending = header.map { max(0, min($0.last, count) - $0.checkpointed) } ?? count
        isIndexStale = facts == nil || (header?.last ?? 0) > count
    }

    private static func frames(_ path: String, size: Int64) -> Int64 {
        guard let handle = FileHandle(forReadingAtPath: path), let head = bytes(0, headerSize, of: handle) else {
            return 0  // empty, or removed meanwhile
        }
        let pageSize = head[8..<12].reduce(0) { $0 << 8 | Int64($1) }
        let salts = Data(head[16..<24])
        guard pageSize >= 512 else { return 0 }
        let step = Int64(frameHeaderSize) + pageSize
        var frame: Int64 = 0
        while Int64(headerSize) + (frame + 1) * step <= size {
            guard let frameHead = bytes(Int64(headerSize) + frame * step, frameHeaderSize, of: handle),
                frameHead.dropFirst(8).prefix(8) == salts
            else { break }
            frame += 1
        }
        return frame
    }

    /// The last frame and the checkpointed frame, from the index; nil if the index is not initialized.
    private static func index(_ path: String) -> (last: Int64, checkpointed: Int64)? {
        guard let handle = FileHandle(forReadingAtPath: path), let head = bytes(0, 100, of: handle), head[12] == 1
        else {
            return nil
        }
        // In the machine's byte order.
        func number(_ offset: Int) -> Int64 {
            Int64(head[offset..<offset + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        }
        return (number(16), number(96))
    }

    /// Reads bytes of a file; nil if the file ends before them or cannot be read there. The frames that are counted end
    /// before such bytes, and the reason is lost: SQLite, which reads the same bytes, reports it.
    private static func bytes(_ offset: Int64, _ count: Int, of handle: FileHandle) -> Data? {
        do {
            try handle.seek(toOffset: UInt64(offset))
            return try handle.read(upToCount: count).flatMap { $0.count == count ? $0 : nil }
        } catch { return nil }
    }
}

enum WriteAheadLogCheck {
    static func findings(_ database: String) -> [Finding] {
        guard let log = WriteAheadLog(database: database) else {
            return [Finding(.writeAheadLog, .ok, at: database, message: "no write-ahead log: the log was closed")]
        }
        let location = database + "-wal"
        let numbers = ["bytes": log.size, "frames": log.frames, "pending": log.pending]
        let text = "\(log.size) bytes, \(log.frames) frames, \(log.pending) not in the database yet"
        if log.size > DoctorOptions.largeWriteAheadLog {
            return [
                Finding(
                    .writeAheadLog, .warning, at: location, message: text,
                    advice: "a reader prevents checkpoints: end long reads of the log, then close the app once",
                    numbers: numbers)
            ]
        }
        if log.isIndexStale {
            return [
                Finding(
                    .writeAheadLog, .note, at: location, message: "\(text); the -shm file next to it is out of date",
                    advice: "nothing is lost: SQLite recreates the file when the log is opened", numbers: numbers)
            ]
        }
        return [Finding(.writeAheadLog, .ok, at: location, message: text, numbers: numbers)]
    }
}
