internal import CollectorStore
internal import NIOCore
internal import NIOPosix
internal import Primitives

/// The turns of addresses on an event loop: validating a batch blocks its loop, up to 20 ms, and a client's short requests can
/// follow each other without a pause. A request runs immediately while the loop is idle enough; otherwise addresses have turns,
/// and after 2 ms of them the loop reads and writes again. So an address with many connections delays a request of another one
/// by little more than one request.
///
/// Use it on its event loop only.
final class LoopTurns {
    private static let budget = TimeAmount.milliseconds(2)
    /// Long enough for the loop to poll its sockets first, because it runs tasks that are due without a poll between them.
    private static let pause = TimeAmount.microseconds(50)

    let loop: any EventLoop
    private let waiting = Turns<any Blocking>()
    /// The time of recent requests that the loop did not have for other work.
    private var debt = TimeAmount.zero
    private var end = NIODeadline.uptimeNanoseconds(0)
    private var isScheduled = false

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Gives a request, or a step of one, its turn, now or later.
    func add(_ request: any Blocking, of address: String?) {
        guard isScheduled else { return run(request, isLate: false) }
        waiting.append(request, of: address ?? "")
    }

    private func run(_ request: any Blocking, isLate: Bool) {
        let start = NIODeadline.now()
        debt = max(.zero, debt - (start - end))
        request.run(isLate: isLate)
        end = .now()
        debt = debt + (end - start)
        if debt > Self.budget { schedule() }
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            debt = .zero
            while debt <= Self.budget, let request = waiting.popFirst() { run(request, isLate: true) }
            isScheduled = false
            if debt > Self.budget || !waiting.isEmpty { schedule() }
        }
    }
}

/// Work that blocks its event loop.
protocol Blocking: AnyObject {
    /// - Parameter isLate: Whether it had to wait for its turn.
    func run(isLate: Bool)
}

/// The turns of each event loop. Thread-safe.
final class AllLoopTurns: Sendable {
    private let turns = Locked<[ObjectIdentifier: NIOLoopBound<LoopTurns>]>([:])

    /// The turns of an event loop. The first call for a loop must be on it.
    func turns(of loop: any EventLoop) -> NIOLoopBound<LoopTurns> {
        turns.withLock { turns in
            if let known = turns[ObjectIdentifier(loop)] { return known }
            let new = NIOLoopBound(LoopTurns(loop), eventLoop: loop)
            turns[ObjectIdentifier(loop)] = new
            return new
        }
    }
}

/// Threads for work that would block an event loop too long. Addresses have turns. Thread-safe.
final class SharedThreads: Sendable {
    private let threads: NIOThreadPool
    private let jobs = Locked(Turns<@Sendable () -> Void>())

    init(count: Int) {
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    /// The number of jobs that wait for a thread.
    var waiting: Int { jobs.withLock { jobs in jobs.queues.reduce(0) { $0 + $1.count } } }

    /// Runs `body` on one of the threads, in a turn of its address.
    func run<Success: Sendable>(
        of address: String?, _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            jobs.withLock { jobs in
                jobs.append({ continuation.resume(with: Result { try body() }) }, of: address ?? "")
            }
            threads.submit { [jobs] _ in jobs.withLock { $0.popFirst() }?() }
        }
    }
}
