internal import Foundation

/// What a write-ahead log holds, by its own words and those of the index beside it:
/// https://www.sqlite.org/walformat.html
struct WriteAheadLog {
    /// Bytes of the file.
    let size: Int64
    /// Frames of the current round; older ones behind them count no more.
    let frames: Int64
    /// Frames whose pages the database does not have yet.
    let pending: Int64
    /// Whether the index speaks of more frames than there are.
    let isIndexStale: Bool

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Looks at the files beside a database; nil if there is neither.
    init?(database: String) {
        let (log, index) = (database + "-wal", database + "-shm")
        let facts = FileFacts(log)
        guard facts != nil || FileFacts(index) != nil else { return nil }
        size = facts?.size ?? 0
        let count = Self.frames(log, size: facts?.size ?? 0)
        frames = count
        let said = Self.index(index)
        pending = said.map { max(0, min($0.last, count) - $0.checkpointed) } ?? count
        isIndexStale = facts == nil || (said?.last ?? 0) > count
    }

    private static func frames(_ path: String, size: Int64) -> Int64 {
        guard let handle = FileHandle(forReadingAtPath: path), let head = try? handle.read(upToCount: headerSize),
            head.count == headerSize
        else { return 0 }  // empty, or gone meanwhile
        let pageSize = head[8..<12].reduce(0) { $0 << 8 | Int64($1) }
        let salts = Data(head[16..<24])
        guard pageSize >= 512 else { return 0 }
        let step = Int64(frameHeaderSize) + pageSize
        var frame: Int64 = 0
        while Int64(headerSize) + (frame + 1) * step <= size {
            guard (try? handle.seek(toOffset: UInt64(Int64(headerSize) + frame * step))) != nil,
                let frameHead = try? handle.read(upToCount: frameHeaderSize), frameHead.count == frameHeaderSize,
                frameHead.dropFirst(8).prefix(8) == salts
            else { break }
            frame += 1
        }
        return frame
    }

    /// The last frame and how far checkpoints have come, by the index; nil if there is none that was begun.
    private static func index(_ path: String) -> (last: Int64, checkpointed: Int64)? {
        guard let handle = FileHandle(forReadingAtPath: path), let head = try? handle.read(upToCount: 100),
            head.count == 100, head[12] == 1
        else { return nil }
        // In the byte order of the machine.
        func number(_ offset: Int) -> Int64 {
            Int64(head[offset..<offset + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        }
        return (number(16), number(96))
    }
}

/// Looks at the write-ahead log of a database.
enum WriteAheadLogCheck {
    static func findings(_ database: String) -> [Finding] {
        guard let log = WriteAheadLog(database: database) else {
            return [Finding(.writeAheadLog, .ok, database, "there is none: the log was closed")]
        }
        let location = database + "-wal"
        let numbers = ["bytes": log.size, "frames": log.frames, "pending": log.pending]
        let text = "\(log.size) bytes, \(log.frames) frames, \(log.pending) not in the database yet"
        if log.size > DoctorOptions.largeWriteAheadLog {
            return [
                Finding(
                    .writeAheadLog, .warning, location, text,
                    advice: "a reader keeps it from being emptied: end long reads of the log, then close the app once",
                    numbers: numbers)
            ]
        }
        if log.isIndexStale {
            return [
                Finding(
                    .writeAheadLog, .note, location, "\(text); the -shm file beside it is an old one",
                    advice: "nothing is lost: SQLite makes the file anew when the log is opened", numbers: numbers)
            ]
        }
        return [Finding(.writeAheadLog, .ok, location, text, numbers: numbers)]
    }
}
