internal import Foundation

/// The queue of the writer thread. Submissions that arrive during a sync form the next group.
final class SubmissionQueue: @unchecked Sendable {  // `condition` guards all mutable state
    /// What a request wants to be stored.
    enum Request {
        case batch(PreparedSubmission)
        case messages(ClientMessages)

        /// The memory that it uses, in bytes.
        var cost: Int {
            switch self {
            case .batch(let prepared): prepared.cost
            case .messages(let messages): messages.cost
            }
        }
    }

    /// A submission, and the callback for its outcome.
    struct Waiting {
        var request: Request
        var answer: @Sendable (Result<SubmissionOutcome, StoreError>) -> Void
        /// When it was added.
        fileprivate(set) var since = ContinuousClock.now
    }

    enum Work {
        case group([Waiting])
        /// Another change of the folder; it runs between groups.
        case task((StoreCore) -> Void)
        /// Nothing was added for a while, or a reader waits.
        case pause
        case end
    }

    private enum Item {
        case submission(Waiting)
        case task((StoreCore) -> Void)
    }

    private let condition = NSCondition()
    private var items: [Item] = []
    private var queuedBytes = 0
    private var isClosed = false
    private var isReaderWaiting = false
    /// When the oldest submission was added that the writer thread works on.
    private var working: ContinuousClock.Instant?
    /// When the writer thread last finished its work.
    private var finished: ContinuousClock.Instant
    private let maximumBytes: Int
    private let maximumGroupBytes: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ options: BatchStore.Options) {
        maximumBytes = options.maximumQueuedBytes
        maximumGroupBytes = options.maximumGroupBytes
        now = options.uptime
        finished = options.uptime()
    }

    /// Adds a submission.
    ///
    /// - Throws: ``StoreError`` with `overloaded` or `closed`; then its callback is not called.
    func add(_ waiting: Waiting) throws(StoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .isClosed }
        guard queuedBytes == 0 || queuedBytes + waiting.request.cost <= maximumBytes else {
            throw StoreError(
                .overloaded, "too many batches wait to be written; resend the batch later")
        }
        queuedBytes += waiting.request.cost
        var waiting = waiting
        waiting.since = now()
        items.append(.submission(waiting))
        condition.signal()
    }

    /// Adds a task.
    ///
    /// - Throws: ``StoreError`` with `closed`.
    func add(_ task: @escaping @Sendable (StoreCore) -> Void) throws(StoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .isClosed }
        items.append(.task(task))
        condition.signal()
    }

    /// The number of queued submissions.
    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return items.count
    }

    /// How long a submission has waited while the writer thread finished nothing; zero if none waits.
    var stall: Duration {
        condition.lock()
        defer { condition.unlock() }
        let queued = items.lazy.compactMap { item -> ContinuousClock.Instant? in
            if case .submission(let waiting) = item { return waiting.since }
            return nil
        }
        guard let oldest = working ?? queued.first else { return .zero }
        let now = now()
        return min(oldest.duration(to: now), finished.duration(to: now))
    }

    /// Closes the queue. Queued work is finished first.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.signal()
    }

    /// Ends a wait with a limit, because a reader waits for the index.
    func interrupt() {
        condition.lock()
        defer { condition.unlock() }
        isReaderWaiting = true
        condition.signal()
    }

    /// Waits for work. For the writer thread.
    ///
    /// - Parameter limit: How long to wait until `pause`; nil to wait for other work only.
    func next(limit: Duration?) -> Work {
        condition.lock()
        defer {
            isReaderWaiting = false
            condition.unlock()
        }
        (working, finished) = (nil, now())
        let end = limit.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) }
        while items.isEmpty {
            if isClosed { return .end }
            guard let end else {
                condition.wait()
                continue
            }
            if isReaderWaiting { return .pause }
            if !condition.wait(until: end), items.isEmpty, !isClosed { return .pause }
        }
        if case .task(let task) = items[0] {
            items.removeFirst()
            return .task(task)
        }
        var group: [Waiting] = []
        var bytes = 0
        for case .submission(let waiting) in items.prefix(while: {
            if case .submission = $0 { true } else { false }
        }) {
            guard group.isEmpty || bytes + waiting.request.cost <= maximumGroupBytes else { break }
            group.append(waiting)
            bytes += waiting.request.cost
        }
        items.removeFirst(group.count)
        queuedBytes -= bytes
        working = group.first?.since
        return .group(group)
    }
}

extension StoreError {
    static var isClosed: StoreError {
        StoreError(.closed, "the collector is shutting down; resend the batch later")
    }
}
