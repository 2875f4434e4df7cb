internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogFiles

/// Keeps the checkpoints of a log's file sinks in step with files that were written anew. A sink that finds its file
/// shorter than its checkpoint says would put it aside and write it again.
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

    /// How much of each open file was delivered, by path: of those that their sinks would take for their own.
    func deliveredBytes() throws -> [String: Int64] {
        let entries = try entries(DatabaseExamination(path: log.path)).filter { entry in
            // Nil for one that cannot be read, too: its erasure says so.
            guard FileFacts(entry.file) != nil,
                case .complete(let line)? = try? LogFileReader(path: entry.file).next()?.line
            else { return false }
            return (try? RecordedContainer(line: line))?.seq == entry.checkpoint.firstSeq
        }
        return Dictionary(entries.map { ($0.file, $0.checkpoint.bytes) }, uniquingKeysWith: min)
    }

    /// Stores what the files are now, for those that are shorter than their checkpoints say and yet hold every event
    /// that the log still has of them. Others were cut by somebody else: their sinks see to them.
    func renew() async throws {
        let database = try DatabaseExamination(path: log.path)
        for entry in try entries(database) {
            guard let facts = FileFacts(entry.file), facts.size < entry.checkpoint.bytes,
                let former = entry.consumer.cursor.checkpoint
            else { continue }
            var (first, count, bytes): (RecordedContainer?, Int64, Int64) = (nil, 0, 0)
            let stored = try database.firstSeq(from: entry.checkpoint.firstSeq) ?? .max
            var isWhole = true
            do {
                try LogFileReader(path: entry.file).forEachLine { line, _ in
                    guard case .complete(let line) = line, let container = try? RecordedContainer(line: line) else {
                        isWhole = false  // its sink compares it with the log again
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
