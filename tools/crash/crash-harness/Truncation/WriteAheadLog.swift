import Foundation
import GRDB

/// Reads the ends of the transactions in an SQLite write-ahead log: https://www.sqlite.org/fileformat.html#walformat
enum WriteAheadLog {
    /// The end of each commit, in order, without the frames of an earlier round.
    static func commitEnds(_ bytes: [UInt8]) -> [Int] {
        guard bytes.count >= 32 else { return [] }
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let frame = 24 + number(8)
        var ends: [Int] = []
        var offset = 32
        while offset + frame <= bytes.count, bytes[offset + 8..<offset + 16] == bytes[16..<24] {
            let isCommit = number(offset + 4) != 0
            offset += frame
            if isCommit { ends.append(offset) }
        }
        return ends
    }

    /// For each event, the minimum length of the log at which SQLite shows it.
    ///
    /// - Parameters:
    ///   - scene: A log with its database and write-ahead log.
    ///   - folder: A folder for copies.
    static func thresholds(_ scene: Scene, in folder: String) throws -> [Int64: Int] {
        guard let database = scene.image("events.sqlite"), let log = scene.image("events.sqlite-wal") else {
            throw HarnessError("the test log has no write-ahead log")
        }
        var thresholds: [Int64: Int] = [:]
        for end in [0] + commitEnds(log.used + [UInt8](repeating: 0, count: log.length - log.used.count)) {
            let copy = "\(folder)/sqlite"
            if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
            var cut = log
            cut.cut(at: end)
            try database.write(to: copy)
            try cut.write(to: copy)
            let queue = try DatabaseQueue(path: copy + "/events.sqlite")
            let seqs = try queue.read { db in
                try db.tableExists("events") ? try Int64.fetchAll(db, sql: "SELECT seq FROM events") : []
            }
            for seq in seqs where thresholds[seq] == nil { thresholds[seq] = end }
        }
        return thresholds
    }
}
