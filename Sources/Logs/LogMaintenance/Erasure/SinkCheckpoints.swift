internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogFiles

/// Updates the checkpoints of a log's file sinks after their files were rewritten. Otherwise, a sink that finds its
/// file shorter than its checkpoint moves it aside and writes it again.
struct SinkCheckpoints {
    private let log: OpenedLog
    private let folder: String

    init(_ log: OpenedLog) {
        self.log = log
        folder = FolderContent.folder(of: log.path)
    }

    private struct Entry {
        let consumer: ExaminedConsumer
        let checkpoint: FileCheckpoint
        let file: String
    }

    private func entries(_ database: DatabaseExamination) throws -> [Entry] {
        try database.consumers().compactMap { consumer in
            guard let series = SinkSeries.name(ofConsumer: consumer.cursor.consumer),
                let checkpoint = FileCheckpoint(consumer.cursor.checkpoint)
            else { return nil }
            return Entry(consumer: consumer, checkpoint: checkpoint, file: "\(folder)/\(series).jsonl")
        }
    }

    /// The delivered length of each open file that its sink would recognize, by path.
    func deliveredBytes() throws -> [String: Int64] {
        let entries = try entries(DatabaseExamination(path: log.path)).filter { entry in
            // If the file cannot be read, its erasure reports the error.
            guard FileFacts(entry.file) != nil,
                case .complete(let line)? = try? LogFileReader(path: entry.file).next()?.line
            else { return false }
            return RecordedContainer(validating: line)?.seq == entry.checkpoint.firstSeq
        }
        return Dictionary(entries.map { ($0.file, $0.checkpoint.bytes) }, uniquingKeysWith: min)
    }

    /// Stores new checkpoints for files that are shorter than their checkpoints, but complete: they have every event
    /// that the log still has. Other files were truncated by something else, and their sinks rewrite them.
    func renew() async throws {
        let database = try DatabaseExamination(path: log.path)
        for entry in try entries(database) {
            guard let facts = FileFacts(entry.file), facts.size < entry.checkpoint.bytes,
                let former = entry.consumer.cursor.checkpoint
            else { continue }
            var first: RecordedContainer?
            var count: Int64 = 0
            var bytes: Int64 = 0
            let stored = try database.firstSeq(from: entry.checkpoint.firstSeq) ?? .max
            var isWhole = true
            do {
                try LogFileReader(path: entry.file).forEachLine { line, _ in
                    guard case .complete(let line) = line, let container = RecordedContainer(validating: line) else {
                        isWhole = false  // its sink compares the file with the log
                        return
                    }
                    first = first ?? container
                    bytes += Int64(line.count) + 1
                    if container.seq >= stored { count += 1 }
                }
            } catch is LogFileError {
                isWhole = false
            }
            let last = entry.consumer.cursor.acknowledged
            let expected = stored <= last ? try database.eventCount(in: stored...last) : 0
            guard isWhole, count == expected else { continue }
            let removed = FileCheckpoint(former)?.removed ?? RemovedFiles()
            let renewed = first.map {
                FileCheckpoint(firstSeq: $0.seq, firstTime: $0.time, bytes: bytes, removed: removed).text
            }
            try await log.store.replaceCheckpoint(of: entry.consumer.cursor.consumer, former, by: renewed)
        }
    }
}
