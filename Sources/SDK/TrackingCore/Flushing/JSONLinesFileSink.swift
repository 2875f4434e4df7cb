public import EventLog
internal import EventModel
internal import Foundation
internal import Primitives

/// Writes a file of JSON lines that holds each event exactly once, in order, every line complete.
///
/// Lines go to `<name>.jsonl`, the open file. When ``FileRotation`` requires it, the file is finished: renamed to
/// `<name>-<number of its first event, 16 digits>.jsonl`. Finished files sort by name, and are always complete.
///
/// **Exactly once.** The sink's checkpoint (first event and length of the open file) is stored in the log in the same
/// transaction as its cursor, after the bytes were synced to the disk. Bytes after the checkpoint come from an
/// interrupted delivery: they are truncated and rewritten. A file that is shorter than its checkpoint, or is another
/// file, was changed by another program: it is renamed to `<name>.jsonl.damaged-<n>` and rewritten from the log, as far
/// as the log still has the events.
///
/// **Several processes.** A writing process locks the file `.<name>.jsonl.lock`, which also contains the token of the
/// newest delivery. A process that was stopped while another process took over its deliveries writes nothing more.
///
/// **Quota.** Finished files, compressed ones (`.gz`, `.zst`) included, and damaged files are removed when they exceed
/// the ``/EventLog/FileQuota``; never before their delivery is acknowledged. The sink's checkpoint counts the removed files, and
/// `trackctl doctor` shows the count. Collect the files before they are removed.
public actor JSONLinesFileSink: Sink {
    public nonisolated let name: String
    private let files: SinkFiles
    private let rotation: FileRotation
    private let quota: FileQuota
    private let clock: any TrackingClock
    /// When to check the quota next if no file is finished before; nil to check at the next delivery.
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
    ///   - fileName: The files' name without extension. Also the consumer's name in the log.
    ///   - rotation: When a file is finished.
    ///   - quota: How many finished files are kept. Default 1 GiB and 90 days.
    ///   - clock: Measures their age.
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
            let lock = SinkLock(for: URL(fileURLWithPath: files.open))
            let held = try await lock.acquire()
            defer { try? held.close() }  // ends the lock even if the system reports an error
            try lock.note(batch.token, held)
            return try write(batch)
        } catch {
            file = nil
            return .retry(after: nil, reason: "cannot write \(files.open): \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as PrivateFile.Refusal: error.description
        case let error as SinkLock.Refusal: error.description
        case let error as SinkFiles.Compressed: error.description
        case let error as SystemError: String(cString: strerror(error.code))
        default: error.localizedDescription
        }
    }

    /// Rewrites the files without the users' lines. Files of other names, and compressed ones, are not changed.
    ///
    /// - Returns: Pending if there are compressed files, which may have lines of the users.
    public func erase(_ request: ErasureRequest) async -> ErasureAnswer {
        do {
            let lock = SinkLock(for: URL(fileURLWithPath: files.open))
            let held = try await lock.acquire()
            defer { try? held.close() }  // ends the lock even if the system reports an error
            try lock.note(request.token, held)
            file = nil
            return .done(checkpoint: try files.erase(request)?.text)
        } catch {
            return .pending(after: nil, reason: "cannot rewrite \(files.open): \(Self.reason(error))")
        }
    }

    public func loss(since checkpoint: String) async -> SinkLoss? {
        // A file that can't be read just now is compared at the next delivery, which reports the error.
        (try? changes(since: checkpoint)) ?? nil
    }

    private func changes(since checkpoint: String) throws -> SinkLoss? {
        guard let checkpoint = try files.renewed(FileCheckpoint(checkpoint)), try !isIntact(checkpoint),
            try !wasFinished(checkpoint)
        else {
            return nil
        }
        let was = try files.openLength() == nil ? "is missing" : "has changed"
        return SinkLoss(firstSeq: checkpoint.firstSeq, reason: "\(files.open) \(was); rewriting it from the log")
    }

    /// Whether the open file is the one of the checkpoint, with all its bytes.
    private func isIntact(_ checkpoint: FileCheckpoint) throws -> Bool {
        guard let length = try files.openLength(), length >= checkpoint.bytes else { return false }
        return try file?.state == checkpoint || files.openFirstSeq() == checkpoint.firstSeq
    }

    /// Whether the process ended after renaming the checkpoint's file and before the acknowledgement.
    private func wasFinished(_ checkpoint: FileCheckpoint) throws -> Bool {
        try files.finishedLength(firstSeq: checkpoint.firstSeq) == checkpoint.bytes
    }

    private func write(_ batch: EventBatch) throws -> DeliveryResult {
        // Use the log's own numbers: an install's numbers restart when the log continues as a new install, but those of
        // files must not.
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

    /// Removes the files that the quota does not keep, up to the file of the log's last checkpoint. A later file may
    /// still be needed for a comparison.
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

    /// Opens the open file, truncated to the checkpoint's length and positioned at its end.
    private func opened(_ checkpoint: FileCheckpoint?, first: EventRecord) throws -> OpenFile {
        if let file, file.state == checkpoint, try files.openLength() == file.state.bytes,
            SinkFiles.isNamed(file.handle, files.open)
        {
            return file
        }
        file = nil
        let checkpoint = try files.renewed(checkpoint)
        if let checkpoint, try isIntact(checkpoint) {
            return OpenFile(handle: try files.reopen(length: checkpoint.bytes), state: checkpoint)
        }
        // The first file, the next file after a finished one, or a file that is rewritten. The rest of an interrupted
        // delivery is overwritten; any other file is set aside.
        if try !files.openFileStarts(like: first.line) { try files.setAside() }
        let removed = checkpoint?.removed ?? RemovedFiles()
        return OpenFile(handle: try files.create(), state: FileCheckpoint(first, removed: removed))
    }
}

/// When a sink's file is finished and a new file starts.
public struct FileRotation: Hashable, Sendable {
    /// Finish the file before it exceeds this size in bytes; nil for never.
    public var maximumBytes: Int64?
    /// Finish the file when its first event is older than the next one by more than this; nil for never.
    public var maximumAge: Duration?

    /// Makes a rotation.
    public init(maximumBytes: Int64? = nil, maximumAge: Duration? = nil) {
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
    }

    /// One file forever.
    public static let never = FileRotation()

    /// At 64 MiB, and once a day.
    public static let standard = FileRotation(maximumBytes: 64 << 20, maximumAge: .seconds(86_400))
}
