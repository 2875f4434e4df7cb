public import EventLog
internal import EventModel
internal import Foundation

/// Writes a file of JSON lines that holds each event exactly once, in order, every line complete.
///
/// Lines go to `<name>.jsonl`. When ``FileRotation`` asks for it, that file is finished: renamed to
/// `<name>-<number of its first event, 16 digits>.jsonl`, so that finished files sort by name and a reader never
/// sees half a file under such a name.
///
/// **Exactly once.** The sink's checkpoint (first event, bytes, of the open file) is stored in the log in the same
/// transaction as its cursor, after the bytes are on the disk. Bytes past the checkpoint belong to a delivery that
/// was cut short: they are cut off and written anew. A file that is shorter than its checkpoint, or not the one
/// that it speaks of, was changed by somebody else: it is set aside as `<name>.jsonl.damaged-<n>` and written
/// again from the log, as far as the log still has it.
///
/// **Several processes.** Whoever writes holds a lock, of the file `.<name>.jsonl.lock`, which also has the token of the
/// newest delivery: a process that was stopped while another one took its deliveries over writes nothing any more.
///
/// **Quota.** Finished files, packed ones (`.gz`, `.zst`) among them, and those that were set aside go when the ``FileQuota``
/// does not keep them; never one whose delivery is not acknowledged yet. How many have gone is stored in the sink's checkpoint,
/// and `trackctl doctor` shows it. What collects the files must do so before.
public actor JSONLinesFileSink: Sink {
    public nonisolated let name: String
    private let files: SinkFiles
    private let rotation: FileRotation
    private let quota: FileQuota
    private let clock: any TrackingClock
    /// When it is looked next whether the quota holds, if no file is finished before; nil at the next delivery.
    private var nextCheck: EventTime?
    private static let checkInterval = Duration.seconds(3600)
    private var file: OpenFile?

    private struct OpenFile {
        let handle: FileHandle
        var state: FileCheckpoint
    }

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - directory: An existing folder.
    ///   - fileName: The files' name without ending, and with it the consumer's name in the log.
    ///   - rotation: When a file is finished.
    ///   - quota: How much is kept of finished files. Default 1 GiB and 90 days.
    ///   - clock: Tells how old they are.
    public init(
        directory: String, fileName: String, rotation: FileRotation, quota: FileQuota = .finishedFiles,
        clock: any TrackingClock = SystemTrackingClock()
    ) {
        self.quota = quota
        self.clock = clock
        name = "file:\(fileName)"
        files = SinkFiles(directory: directory, fileName: fileName)
        self.rotation = rotation
    }

    public func deliver(_ batch: EventBatch) async -> DeliveryResult {
        do {
            let lock = SinkLock(beside: URL(fileURLWithPath: files.open))
            let held = try await lock.take()
            defer { try? held.close() }  // ends the lock, also if the system had something to say
            try lock.note(batch.token, held)
            return try write(batch)
        } catch {
            file = nil
            let reason =
                switch error {
                case let refusal as PrivateFile.Refusal: refusal.description
                case let refusal as SinkLock.Refusal: refusal.description
                default: error.localizedDescription
                }
            return .retry(after: nil, reason: "\(files.open) cannot be written: \(reason)")
        }
    }

    public func loss(since checkpoint: String) async -> SinkLoss? {
        guard let checkpoint = FileCheckpoint(checkpoint), !isIntact(checkpoint), !wasFinished(checkpoint) else {
            return nil
        }
        let was = files.openLength == nil ? "is gone" : "is not as it was written"
        return SinkLoss(firstSeq: checkpoint.firstSeq, reason: "\(files.open) \(was); writing it again from the log")
    }

    /// Whether the open file is the checkpoint's, with all its bytes.
    private func isIntact(_ checkpoint: FileCheckpoint) -> Bool {
        guard let length = files.openLength, length >= checkpoint.bytes else { return false }
        return file?.state == checkpoint || files.openFirstSeq == checkpoint.firstSeq
    }

    /// Whether the process ended between the renaming of the checkpoint's file and the acknowledgement.
    private func wasFinished(_ checkpoint: FileCheckpoint) -> Bool {
        files.finishedLength(firstSeq: checkpoint.firstSeq) == checkpoint.bytes
    }

    private func write(_ batch: EventBatch) throws -> DeliveryResult {
        // By the log's own count: an install's starts again when the log goes on as another, and files must not.
        let records = batch.base == 0 ? batch.records : batch.records.map { $0.renumbered($0.seq + batch.base) }
        let first = records[0]
        var file = try opened(FileCheckpoint(batch.checkpoint), first: first)
        if file.state.bytes > 0, isFull(file.state, next: first) {
            try file.handle.close()
            self.file = nil
            try files.finish(firstSeq: file.state.firstSeq)
            file = OpenFile(handle: try files.create(), state: FileCheckpoint(first, removed: file.state.removed))
            nextCheck = nil
        }
        var bytes = Data()
        var last = first
        for record in records {
            var reached = file.state
            reached.bytes += Int64(bytes.count)
            if reached.bytes > 0, isFull(reached, next: record) { break }
            bytes.append(contentsOf: record.line)
            bytes.append(UInt8(ascii: "\n"))
            last = record
        }
        try file.handle.write(contentsOf: bytes)
        try file.handle.synchronize()
        file.state.bytes += Int64(bytes.count)
        file.state.removed += enforceQuota(FileCheckpoint(batch.checkpoint))
        self.file = file
        return .delivered(through: last.seq - batch.base, checkpoint: file.state.text)
    }

    /// Removes what the quota does not keep of the files before the one that the log knows of: a later one may have to be
    /// compared with it.
    private func enforceQuota(_ acknowledged: FileCheckpoint?) -> RemovedFiles {
        guard let acknowledged else { return RemovedFiles() }
        let now = clock.now
        if let nextCheck, now < nextCheck, nextCheck <= now.advanced(by: Self.checkInterval) { return RemovedFiles() }
        nextCheck = now.advanced(by: Self.checkInterval)
        return files.enforce(quota, before: acknowledged.firstSeq, now: now)
    }

    private func isFull(_ state: FileCheckpoint, next: EventRecord) -> Bool {
        if let limit = rotation.maximumBytes, state.bytes + Int64(next.line.count) + 1 > limit { return true }
        if let age = rotation.maximumAge, next.time.duration(since: state.firstTime) >= age { return true }
        return false
    }

    /// The open file, as long as the checkpoint says, positioned at its end.
    private func opened(_ checkpoint: FileCheckpoint?, first: EventRecord) throws -> OpenFile {
        if let file, file.state == checkpoint, files.openLength == file.state.bytes,
            SinkFiles.isNamed(file.handle, files.open)
        {
            return file
        }
        file = nil
        if let checkpoint, isIntact(checkpoint) {
            return OpenFile(handle: try files.reopen(length: checkpoint.bytes), state: checkpoint)
        }
        // The first file of all, the next one after a finished one, or one that is written again. What an
        // interrupted delivery left behind is written anew; any other file is not ours to overwrite.
        if !files.openFileStarts(like: first.line) { try files.setAside() }
        let removed = checkpoint?.removed ?? RemovedFiles()
        return OpenFile(handle: try files.create(), state: FileCheckpoint(first, removed: removed))
    }
}

/// When a sink's file is finished and the next one begun.
public struct FileRotation: Hashable, Sendable {
    /// Before it would grow past so many bytes; nil never.
    public var maximumBytes: Int64?
    /// When its first event is so much older than the next; nil never.
    public var maximumAge: Duration?

    /// Makes a rotation.
    public init(maximumBytes: Int64? = nil, maximumAge: Duration? = nil) {
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
    }

    /// One file for ever.
    public static let never = FileRotation()

    /// At 64 MiB, and every day.
    public static let standard = FileRotation(maximumBytes: 64 << 20, maximumAge: .seconds(86_400))
}
