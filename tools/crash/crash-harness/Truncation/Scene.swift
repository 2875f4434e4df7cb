import EventLog
import EventModel
import Foundation
import TrackingCore

/// A log as a power loss finds it: its files, an earlier state of them, and what it must and may hold.
struct Scene {
    /// What must be there when one file was changed.
    struct Expectation: Codable {
        /// By number of the event: the least length of a file that was cut at which the event must be there.
        var thresholds: [Int64: Int] = [:]
        /// Events that must be there whatever was done.
        var always: [Int64] = []
    }

    let folder: String
    let images: [FileImage]
    let old: [String: FileImage]
    /// By number, the exact bytes of the line.
    let truth: [Int64: [UInt8]]

    /// Reads a scene that was stored.
    init(_ folder: String) throws {
        self.folder = folder
        images = try FileImage.all(in: folder + "/files")
        old = Dictionary(
            uniqueKeysWithValues: try FileImage.all(in: folder + "/old").map { ($0.name, $0) })
        var truth: [Int64: [UInt8]] = [:]
        let lines = try LinesOfFile(folder + "/truth.jsonl")
        while let (line, _) = lines.next() { truth[try RecordedContainer(line: line).seq] = line }
        self.truth = truth
    }

    /// Stores a scene: the folder `files` is there already. The truth comes from an untouched copy that was settled.
    static func store(_ folder: String, truthFrom log: String) throws -> Scene {
        var lines = Data()
        var cursor = LogCursor(try EventLogReader(path: log))
        while let record = try cursor.next() { lines.append(contentsOf: record.line + [UInt8(ascii: "\n")]) }
        try lines.write(to: URL(fileURLWithPath: folder + "/truth.jsonl"))
        return try Scene(folder)
    }

    /// The same scene as if the journal had never reached the disk: what is left is what SQLite keeps by itself.
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
