internal import CommandSupport
internal import EventLog
internal import EventModel
internal import Foundation
internal import LogFiles
internal import LogReplay

/// A new file of JSON lines.
actor LinesFileTarget: ReplaySink {
    private let file: NewFile
    private let isPrompt: Bool

    /// Writes a new or resumed file.
    ///
    /// - Parameter isPrompt: Whether to write each batch immediately, unless the file is compressed.
    init(_ file: sending UnfinishedFile, isPrompt: Bool) {
        let file = NewFile(file)
        // A few lines at a time hardly compress.
        self.isPrompt = isPrompt && !file.isCompressed
        self.file = file
    }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer { try file.output.deliver(batch, isPrompt: isPrompt) }

    func checkpoint() throws -> Int64 {
        try file.output.flush()
        let position = lseek(file.output.descriptor, 0, SEEK_CUR)
        guard position >= 0, fsync(file.output.descriptor) == 0 else { throw LogFileError.writing(file.path, errno) }
        return Int64(position)
    }

    func finish() throws { try file.finish() }

    func abandon(isResumable: Bool) { if isResumable { file.keep() } else { file.discard() } }
}

/// Writes replayed events as JSON lines to standard output.
actor StandardOutputTarget: ReplaySink {
    private let output = BufferedOutput.standardOutput()
    private let isPrompt: Bool

    /// - Parameter isPrompt: Whether to write each batch immediately.
    init(isPrompt: Bool) { self.isPrompt = isPrompt }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer { try output.deliver(batch, isPrompt: isPrompt) }

    func checkpoint() throws -> Int64 {
        try output.flush()
        return 0
    }

    func finish() throws { try output.flush() }

    func abandon(isResumable: Bool) {
        try? output.flush()  // an error loses only output that the reader no longer accepts
    }
}

extension BufferedOutput {
    /// Writes the lines of a batch.
    ///
    /// - Parameter isPrompt: Whether to write them immediately.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func deliver(_ batch: ReplayBatch, isPrompt: Bool) throws -> SinkAnswer {
        for index in 0..<batch.count { try write(line: batch.line(index)) }
        if isPrompt { try flush() }
        return .delivered(ReplayResult(kept: batch.count))
    }
}

/// An event log that stores replayed events, each batch in a transaction.
struct DatabaseTarget: ReplaySink {
    private let store: SQLiteEventStore

    /// Opens a log, creating it if necessary.
    ///
    /// - Throws: `EventLogError`.
    init(path: String) throws {
        store = try SQLiteEventStore(
            path: path,
            options: SQLiteEventStore.Options(
                installID: { UUID().uuidString.lowercased() }, retention: .keepAll,
                // Nothing is sent here: replayed events go straight into the database.
                maximumPendingBytes: 0))
    }

    func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer {
        let events = batch.recorded.isEmpty ? try Self.changed(batch) : batch.recorded
        return .delivered(try await store.replay(events))
    }

    /// Parses lines that were changed.
    private static func changed(_ batch: ReplayBatch) throws -> [RecordedEvent] {
        try (0..<batch.count).map { index in
            do {
                let event = try RecordedContainer(line: Array(batch.line(index))).recordedEvent
                return event.collected(for: batch.purposes[index])
            } catch {
                throw CommandFailure(.dataError, "a changed line is no longer an event (\(error)): check --set")
            }
        }
    }

    func checkpoint() async throws -> Int64 {
        try await store.flushToDisk()
        return 0
    }

    func finish() async throws {
        try await store.flushToDisk()
        try await store.close()
    }

    func abandon(isResumable: Bool) async {
        // An error loses only the mark of a clean close; the next writer detects that the process has ended.
        try? await store.close()
    }
}
