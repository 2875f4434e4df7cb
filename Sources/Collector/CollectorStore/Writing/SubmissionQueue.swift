internal import Foundation

/// The queue of the writer thread. Submissions that arrive during a sync form the next group.
///
/// Sources have turns, and a group ends after 20 ms of the writer thread, or with its limits of bytes and work: a source with
/// many submissions delays those of others by no more than that.
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

        /// What it costs the writer thread, in units of at most 10 µs.
        var work: Int {
            let bytes = cost / 512
            return switch self {
            case .batch(let prepared): prepared.submission.work + bytes
            case .messages(let messages): messages.messages.count + bytes
            }
        }

        var installID: String {
            switch self {
            case .batch(let prepared): prepared.submission.installID
            case .messages(let messages): messages.installID
            }
        }
    }

    /// A submission, and the callback for its outcome.
    final class Waiting {
        let request: Request
        /// In whose turn it is stored: the sender's address, or its install.
        let source: String
        let answer: @Sendable (Result<SubmissionOutcome, StoreError>) -> Void
        /// When it was added.
        fileprivate(set) var since = ContinuousClock.now

        /// - Parameter source: nil for its install.
        init(
            _ request: Request, source: String? = nil,
            answer: @escaping @Sendable (Result<SubmissionOutcome, StoreError>) -> Void
        ) {
            (self.request, self.source, self.answer) = (request, source ?? request.installID, answer)
        }
    }

    enum Work {
        case group([Waiting])
        /// Another change of the folder; it runs between groups.
        case task((StoreCore) -> Void)
        /// Nothing was added for a while, or a reader waits.
        case pause
        case end
    }

    /// The most work of one source in a group, unless one submission has more: about 50 ms.
    static let maximumSourceWork = 5_000
    /// The most work in a group, unless one submission has more.
    static let maximumGroupWork = 20_000

    private let condition = NSCondition()
    private let submissions = Turns<Waiting>()
    private var tasks: [(StoreCore) -> Void] = []
    /// Tasks and groups alternate.
    private var isTaskNext = false
    /// Bytes of the submissions.
    private var queued: Shares
    private var isClosed = false
    private var isReaderWaiting = false
    /// When the oldest submission was added that the writer thread works on.
    private var working: ContinuousClock.Instant?
    /// When the writer thread last finished its work.
    private var finished: ContinuousClock.Instant
    private var time = Duration.zero
    private let maximumGroupBytes: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ options: BatchStore.Options) {
        queued = Shares(maximum: options.maximumQueuedBytes)
        maximumGroupBytes = options.maximumGroupBytes
        now = options.uptime
        finished = options.uptime()
    }

    /// Adds a submission.
    ///
    /// - Throws: ``StoreError`` with `overloaded` or `closed`; then its callback is not called.
    func add(_ waiting: sending Waiting) throws(StoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .isClosed }
        // A single submission may exceed the limit.
        if queued.total == 0 {
            queued.force(waiting.request.cost, of: waiting.source)
        } else if !queued.add(waiting.request.cost, of: waiting.source) {
            throw StoreError(
                .overloaded, "too many batches wait to be written; resend the batch later")
        }
        waiting.since = now()
        submissions.append(waiting, of: waiting.source)
        condition.signal()
    }

    /// Adds a task.
    ///
    /// - Throws: ``StoreError`` with `closed`.
    func add(_ task: @escaping @Sendable (StoreCore) -> Void) throws(StoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .isClosed }
        tasks.append(task)
        condition.signal()
    }

    /// The number of queued submissions and tasks.
    var count: Int {
        condition.lock()
        defer { condition.unlock() }
        return submissions.queues.reduce(tasks.count) { $0 + $1.count }
    }

    /// The CPU time of the writer thread.
    var writerTime: Duration {
        condition.lock()
        defer { condition.unlock() }
        return time
    }

    func note(time: Duration) {
        condition.lock()
        self.time = time
        condition.unlock()
    }

    /// How long a submission has waited while the writer thread finished nothing; zero if none waits.
    var stall: Duration {
        condition.lock()
        defer { condition.unlock() }
        guard let oldest = working ?? submissions.queues.compactMap(\.first?.since).min() else { return .zero }
        let now = self.now()
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
        while submissions.isEmpty, tasks.isEmpty {
            if isClosed { return .end }
            guard let end else {
                condition.wait()
                continue
            }
            if isReaderWaiting { return .pause }
            if !condition.wait(until: end), submissions.isEmpty, tasks.isEmpty, !isClosed { return .pause }
        }
        if !tasks.isEmpty, isTaskNext || submissions.isEmpty {
            isTaskNext = false
            return .task(tasks.removeFirst())
        }
        isTaskNext = true
        return .group(nextGroup())
    }

    /// Adds the rest of a group again, before all others: the next group begins with it.
    func restore(_ rest: ArraySlice<Waiting>) {
        guard !rest.isEmpty else { return }
        condition.lock()
        defer { condition.unlock() }
        submissions.prepend(rest, sourceOf: \.source)
        for waiting in rest { queued.force(waiting.request.cost, of: waiting.source) }
    }

    /// Removes a submission of each source in turn until the group is full, or no source may have more in it.
    private func nextGroup() -> [Waiting] {
        var group: [Waiting] = []
        var (bytes, work) = (0, 0)
        var shares: [String: Int] = [:]
        var skipped = 0
        while skipped < submissions.sourceCount, let (source, next) = submissions.next() {
            let (cost, own) = (next.request.cost, next.request.work)
            guard group.isEmpty || bytes + cost <= maximumGroupBytes && work + own <= Self.maximumGroupWork else {
                break
            }
            guard shares[source].map({ $0 + own <= Self.maximumSourceWork }) ?? true else {
                submissions.postpone()
                skipped += 1
                continue
            }
            skipped = 0
            shares[source, default: 0] += own
            (bytes, work) = (bytes + cost, work + own)
            submissions.popFirst().map { group.append($0) }
        }
        for waiting in group { queued.remove(waiting.request.cost, of: waiting.source) }
        working = group.map(\.since).min()
        return group
    }
}

extension StoreError {
    static var isClosed: StoreError {
        StoreError(.closed, "the collector is shutting down; resend the batch later")
    }
}
