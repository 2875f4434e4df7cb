import EventLog
import EventModel
import Foundation

/// A log after a power failure: its files, an earlier state of them, and the events that it must and may contain.
struct Scene {
    /// The events that must be there after a file was damaged.
    struct Expectation: Codable {
        /// The minimum length of a truncated file at which an event must be there, by number.
        var thresholds: [Int64: Int] = [:]
        /// Events that must be there after any damage.
        var always: [Int64] = []
    }

    let folder: String
    let images: [FileImage]
    let old: [String: FileImage]
    /// The exact bytes of the lines, by number.
    let truth: [Int64: [UInt8]]

    /// Reads a stored scene.
    init(_ folder: String) throws {
        self.folder = folder
        images = try FileImage.all(in: folder + "/files")
        old = Dictionary(
            uniqueKeysWithValues: try FileImage.all(in: folder + "/old").map { ($0.name, $0) })
        var truth: [Int64: [UInt8]] = [:]
        let lines = try LinesOfFile(folder + "/truth")
        while let (line, _) = lines.next() {
            // Parsing thousands of containers would be most of the work of a short run.
            guard let space = line.firstIndex(of: UInt8(ascii: " ")),
                let seq = Int64(String(decoding: line[..<space], as: UTF8.self))
            else { throw HarnessError("\(folder)/truth has a line without a number") }
            truth[seq] = Array(line[(space + 1)...])
        }
        self.truth = truth
    }

    /// Stores a scene, whose folder `files` already exists. The expected events come from an undamaged, settled copy;
    /// the file `truth` has the number and the line of each.
    static func store(_ folder: String, truthFrom log: String) throws -> Scene {
        var lines = Data()
        var cursor = LogCursor(try EventLogReader(path: log))
        while let record = try cursor.next() {
            lines.append(contentsOf: "\(record.seq) ".utf8)
            lines.append(contentsOf: record.line + [UInt8(ascii: "\n")])
        }
        try lines.write(to: URL(fileURLWithPath: folder + "/truth"))
        return try Scene(folder)
    }

    /// The same scene without the journal, as if it had never been written to the disk: only SQLite's files remain.
    func withoutJournal() throws -> Scene {
        for state in ["/files/", "/old/"] {
            let journal = folder + state + Self.journal
            if FileManager.default.fileExists(atPath: journal) { try FileManager.default.removeItem(atPath: journal) }
        }
        return try Scene(folder)
    }

    func image(_ name: String) -> FileImage? { images.first { $0.name == name } }

    /// The ring files of the journal.
    var rings: [FileImage] { images.filter { $0.name.hasPrefix(Self.journal + "writer-") } }

    /// The control file of the journal.
    var control: FileImage? { image(Self.journal + "control") }

    static let journal = "events.sqlite.journal/"
}
