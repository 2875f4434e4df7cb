internal import EventLog
package import EventModel
internal import Foundation
internal import Primitives

/// A collector's storage: every accepted line exactly once, identified by install and number, and a reason for each
/// missing number.
///
/// Lines are appended to segments, which are the source of truth. Submissions that arrive during a sync share the
/// next one. An SQLite index, built from the segments, finds duplicates, forks and lines. The article Storage in
/// `CollectorStore.docc` describes the files.
///
/// Thread-safe. Only one store at a time can have a folder open, across all processes.
package final class BatchStore: Sendable {
    package struct Options: Sendable {
        /// The size at which a segment is full, in bytes. Retention removes whole segments.
        package var segmentBytes: Int64 = 64 << 20
        /// The maximum number of bytes that wait to be written; further submissions fail with `overloaded`.
        package var maximumQueuedBytes = 64 << 20
        /// The maximum size of the submissions that share a sync, in bytes.
        package var maximumGroupBytes = 16 << 20
        /// The time for the decisions about a group, after which the rest waits for the next group: the sources whose turn
        /// it is have theirs.
        package var maximumGroupTime = Duration.milliseconds(20)
        /// The longest time that the index stays behind the segments while batches follow each other without a
        /// pause. A reader never waits this long, only for the current group.
        package var maximumIndexLag = Duration.milliseconds(100)
        /// The time without batches after which the index is committed, unless a reader waits for it earlier. Batches
        /// that follow sooner share a commit, because they mostly change the same pages; one that follows later is
        /// committed immediately.
        package var indexPause = Duration.milliseconds(10)
        /// Whether receipts request missing numbers. Set it to false if other collectors receive batches of the same
        /// installs: this store cannot know what they have.
        package var requestsMissing = true
        /// The file system calls.
        package var files: any StoreFiles = SystemFiles()
        /// The clock, for segment headers and retention.
        package var now: @Sendable () -> EventTime = {
            EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
        }
        /// The monotonic clock, for ``BatchStore/stall``.
        package var uptime: @Sendable () -> ContinuousClock.Instant = { .now }
        /// Generates the collector's id at the first start.
        package var collectorID: @Sendable () -> CollectorID = { .random() }

        package init() {}
    }

    /// The number of ranges and ledger rows of an install above which no batch adds more; what one batch may read and
    /// write of them.
    package static var maximumRanges: Int { IndexWriter.maximumRanges }
    package static var maximumRows: Int { IndexWriter.maximumRows }
    /// The collector's random id, created at the first start; receipts contain it.
    package let collectorID: CollectorID
    /// Problems that were found while the folder was opened.
    package let openingFindings: [StoreFinding]
    let folder: StoreFolder
    let options: Options
    let index: SharedIndex
    /// Announces each group of frames after it was acknowledged, and the end of the store.
    package let changes = ChangeSignal()
    /// Serializes erasure, retention and backup.
    let maintenance = AsyncLock()
    private let queue: SubmissionQueue
    private let ended: Ending

    /// Opens a folder, or creates it: the folder with mode 0700, its files with 0600. Reads the frames that are not
    /// in the index yet; all segments if the index is missing or damaged.
    ///
    /// - Parameter folder: The data folder. Its parent must exist.
    /// - Throws: ``StoreError`` with `in-use`, `cannot-open`, `newer-version`, `foreign`, `disk-full` and others.
    ///   After an error, nothing was removed.
    package init(folder: String, options: Options = .init()) throws(StoreError) {
        let opening = try StoreOpening(folder, options)
        let core = StoreCore(opening, options)
        self.folder = opening.folder
        self.options = options
        collectorID = opening.collector
        openingFindings = opening.findings
        index = core.shared
        queue = SubmissionQueue(options)
        ended = Ending()
        // The core moves to the writer thread and is used only there.
        let transfer = CoreTransfer(core: core, lock: opening.lock)
        let queue = queue
        let ended = ended
        let changes = changes
        index.lag.onWait { queue.interrupt() }
        let thread = Thread {
            transfer.run(queue, changes)
            changes.announce(isLast: true)
            ended.note()
        }
        thread.name = "collector-store"
        thread.start()
    }

    deinit { queue.close() }

    /// Stores a submission. When this returns, everything that the outcome states is synced to the disk.
    ///
    /// - Throws: ``StoreError``: `invalidSubmission`; or `overloaded`, `closed`, `disk-full`, `write-failed` or
    ///   `index-failed`, after which the client must resend the batch. After an error, no part of the submission
    ///   was acknowledged.
    package func submit(_ submission: Submission) async throws(StoreError) -> SubmissionOutcome {
        let result = await withCheckedContinuation { continuation in
            submit(submission) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Stores a submission without suspending. Calls `answer` once: before this returns if the submission is
    /// rejected immediately, otherwise on the writer thread, which `answer` must not block.
    ///
    /// - Parameter source: In whose turn it is stored, such as the sender's address; nil for its install.
    package func submit(
        _ submission: Submission, source: String? = nil,
        answer: @escaping @Sendable (Result<SubmissionOutcome, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            try queue.add(.init(.batch(try PreparedSubmission(submission)), source: source, answer: answer))
        } catch {
            answer(.failure(error))
        }
    }

    /// Numbers and stores messages of other systems' clients. Known messages are not stored again; the receipt
    /// counts them as duplicates. When this returns, all of it is synced to the disk.
    ///
    /// - Parameter source: In whose turn they are stored, such as the sender's address; nil for their install.
    /// - Throws: ``StoreError`` as ``submit(_:)``.
    package func submit(_ messages: ClientMessages, source: String? = nil) async throws(StoreError) -> SubmissionOutcome
    {
        let result = await withCheckedContinuation { continuation in
            do throws(StoreError) {
                try queue.add(.init(.messages(messages), source: source) { continuation.resume(returning: $0) })
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// The number of queued submissions, as a measure of load.
    package var queuedSubmissions: Int { queue.count }

    /// The CPU time of the writer thread since the store was opened.
    package var writerTime: Duration { queue.writerTime }

    /// How long a submission has waited while the writer thread finished nothing; zero if none waits.
    package var stall: Duration { queue.stall }

    /// Runs `body` on the writer thread, between two groups.
    func onWriter<Result: Sendable>(_ body: @escaping @Sendable (StoreCore) throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try queue.add { core in continuation.resume(with: Swift.Result { try body(core) }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Stores the queued submissions, and closes the folder. Later submissions fail with `closed`. Further calls
    /// wait until the folder is closed.
    package func close() async {
        queue.close()
        await ended.wait()
    }
}

/// Moves the core to the writer thread.
private final class CoreTransfer: @unchecked Sendable {  // used by one thread only, after the transfer
    private let core: StoreCore
    private var lock: LifeLock?

    init(core: StoreCore, lock: LifeLock) {
        self.core = core
        self.lock = lock
    }

    func run(_ queue: SubmissionQueue, _ changes: ChangeSignal) {
        defer {
            core.close()
            // From here on another process may open the folder.
            lock = nil
        }
        let pause = core.options.indexPause
        var rounds = 0
        while true {
            // A system call: under load not for each group.
            rounds = core.isUnsettled ? rounds + 1 : 0
            if rounds % 32 == 0 { queue.note(time: .ofThread) }
            let start = ContinuousClock.now
            switch queue.next(limit: core.isUnsettled ? pause : nil) {
            case .group(let group):
                let isFirst = ContinuousClock.now - start > pause
                do throws(StoreError) {
                    let outcomes = try core.commit(group.map(\.request))
                    queue.restore(group.dropFirst(outcomes.count))
                    for (waiting, outcome) in zip(group, outcomes) { waiting.answer(outcome) }
                    if isFirst || core.isSettlingDue { core.settle() }
                    changes.announce()
                } catch {
                    for waiting in group { waiting.answer(.failure(error)) }
                }
                core.recover()
            case .task(let task):
                core.settle()
                task(core)
            case .pause:
                core.settle()
                core.recover()
            case .end: return
            }
        }
    }
}

/// The end of the writer thread.
private final class Ending: Sendable {
    private let state = Locked<(hasEnded: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func note() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }
}

extension Duration {
    /// The CPU time of the calling thread.
    fileprivate static var ofThread: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
