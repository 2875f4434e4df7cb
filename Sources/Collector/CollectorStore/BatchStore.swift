#if Collector
    internal import DeliveryProtocol
    package import EventModel
    internal import EventLog
    internal import Foundation
    internal import Primitives

    /// What a collector has on its disk: every accepted line exactly once, by install and number, and a reason for each number
    /// without one.
    ///
    /// Lines are appended to segments, which are the truth; one sync serves all submissions that came while the sync before ran. An
    /// SQLite index, made of the segments, finds duplicates, forks and lines. The
    /// article Storage in `CollectorStore.docc` describes the files.
    ///
    /// All members may be used from any thread. One store has a folder at a time, across processes.
    package final class BatchStore: Sendable {
        package struct Options: Sendable {
            /// A segment with this many bytes is full. Retention removes whole segments.
            package var segmentBytes: Int64 = 64 << 20
            /// The bytes that may wait to be written; more answers `overloaded`.
            package var maximumQueuedBytes = 64 << 20
            /// The bytes of submissions that one sync serves at most.
            package var maximumGroupBytes = 16 << 20
            /// The longest that the index stays behind the segments while one group follows another. A reader does not wait for it, but
            /// for the present group.
            package var maximumIndexLag = Duration.milliseconds(100)
            /// The file system.
            package var files: any StoreFiles = SystemFiles()
            /// The clock; for segments' headers and retention.
            package var now: @Sendable () -> EventTime = {
                EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
            }
            /// Draws the collector's id at the first start.
            package var collectorID: @Sendable () -> CollectorID = { .random() }

            package init() {}
        }

        /// The collector's random id, made at the first start; receipts name it.
        package let collectorID: CollectorID
        /// What was found while the folder was opened.
        package let openingFindings: [StoreFinding]
        let folder: StoreFolder
        let options: Options
        let index: SharedIndex
        /// One at a time: erasure, retention, backup.
        let maintenance = AsyncLock()
        private let queue: SubmissionQueue
        private let ended: Ending

        /// Opens a folder, and makes it if it is not there: 0700, its files 0600. Reads what the index does not have yet;
        /// if the index is missing or damaged, all segments.
        ///
        /// - Parameter folder: The data folder. The folder above must be there.
        /// - Throws: ``StoreError`` with `in-use`, `cannot-open`, `newer-version`, `foreign`, `disk-full` and others. Nothing was
        ///   removed then.
        package init(folder: String, options: Options = .init()) throws(StoreError) {
            let opening = try StoreOpening(folder, options)
            let core = StoreCore(opening, options)
            self.folder = opening.folder
            self.options = options
            collectorID = opening.collector
            openingFindings = opening.findings
            index = core.shared
            queue = SubmissionQueue(
                maximumBytes: options.maximumQueuedBytes, maximumGroupBytes: options.maximumGroupBytes)
            ended = Ending()
            // The core goes to the thread that writes, and is used nowhere else.
            let handed = Handed(core: core, lock: opening.lock)
            let (queue, ended) = (queue, ended)
            let thread = Thread {
                handed.run(queue)
                ended.note()
            }
            thread.name = "collector-store"
            thread.start()
        }

        deinit { queue.close() }

        /// Stores a submission. When this returns, all that it says is on the disk.
        ///
        /// - Throws: ``StoreError``: `invalidSubmission`; `overloaded`, `closed`, `disk-full`, `write-failed` and `index-failed`, after
        ///   which the client must send the batch again. Nothing of it was acknowledged then.
        package func submit(_ submission: Submission) async throws(StoreError) -> SubmissionOutcome {
            let result = await withCheckedContinuation { continuation in
                submit(submission) { continuation.resume(returning: $0) }
            }
            return try result.get()
        }

        /// The same without waiting: `answer` is called once, here after an error that shows at once, otherwise on the thread that
        /// writes, which must not be held up.
        package func submit(
            _ submission: Submission, answer: @escaping @Sendable (Result<SubmissionOutcome, StoreError>) -> Void
        ) {
            do throws(StoreError) {
                try queue.add(SubmissionQueue.Waiting(prepared: try PreparedSubmission(submission), answer: answer))
            } catch {
                answer(.failure(error))
            }
        }

        /// How many submissions wait for their turn: a measure of load.
        package var queuedSubmissions: Int { queue.count }

        /// Runs `body` on the thread that writes, between two groups.
        func onWriter<Result: Sendable>(_ body: @escaping @Sendable (StoreCore) throws -> Result) async throws -> Result
        {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try queue.add { core in continuation.resume(with: Swift.Result { try body(core) }) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }

        /// Stores what waits, and closes the folder. Later submissions fail with `closed`. Calling it again waits for the same end.
        package func close() async {
            queue.close()
            await ended.wait()
        }
    }

    /// The core on its way to the thread that writes.
    private final class Handed: @unchecked Sendable {  // used by one thread after it was handed over
        private let core: StoreCore
        private var lock: LifeLock?

        init(core: StoreCore, lock: LifeLock) { (self.core, self.lock) = (core, lock) }

        func run(_ queue: SubmissionQueue) {
            defer {
                core.close()
                // The folder is another's from here on.
                lock = nil
            }
            while true {
                switch queue.next() {
                case .group(let group):
                    do throws(StoreError) {
                        let outcomes = try core.commit(group.map(\.prepared))
                        // While nothing waits, the index has everything before anybody hears of it.
                        if queue.count == 0 || core.isSettlingDue { core.settle() }
                        for (waiting, outcome) in zip(group, outcomes) { waiting.answer(.success(outcome)) }
                    } catch {
                        for waiting in group { waiting.answer(.failure(error)) }
                    }
                    core.recover()
                case .task(let task):
                    core.settle()
                    task(core)
                case .end: return
                }
            }
        }
    }

    /// The end of the thread that writes.
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
#endif
