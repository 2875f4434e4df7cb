internal import Foundation

/// Threads that work on chunks at the same time. What comes out is the same for any number of threads.
///
/// The thread that reads works with them when they lag behind, so that a crew of one is that thread alone.
final class ChunkCrew<Gatherer: ChunkGatherer>: Crew, @unchecked Sendable {  // `condition` guards all that changes
    private struct Job {
        let number: Int
        let chunk: LineChunk
    }

    private let condition = NSCondition()
    private let gatherer: Gatherer
    /// The reading thread's own.
    private let worker: Gatherer.Worker
    private let makeWorker: @Sendable () -> Gatherer.Worker
    /// How many chunks may be under way.
    private let window: Int
    private var waiting: [Job] = []
    private var done: [Int: (chunk: LineChunk, output: Gatherer.Worker.Output)] = [:]
    private var submitted = 0
    private var gathered = 0
    private var isStopped = false
    private var isClosed = false
    private var threads = 0

    /// Makes a crew and starts its threads.
    ///
    /// - Parameters:
    ///   - jobs: How many threads there are, the one that reads included.
    ///   - gatherer: Only the crew may use it until ``finish()``.
    init(jobs: Int, gatherer: Gatherer, makeWorker: @escaping @Sendable () -> Gatherer.Worker) {
        self.gatherer = gatherer
        self.makeWorker = makeWorker
        worker = makeWorker()
        window = jobs == 1 ? 1 : 3 * jobs
        threads = jobs - 1
        for _ in 1..<max(1, jobs) {
            Thread.start(self)
        }
    }

    /// Whether no more chunks are wanted.
    var isDone: Bool { locked { isStopped } }

    /// Takes the next chunk; works, too, when too many are under way.
    func submit(_ chunk: LineChunk) {
        locked {
            guard !isStopped else { return }
            waiting.append(Job(number: submitted, chunk: chunk))
            submitted += 1
            condition.broadcast()
            help { submitted - gathered >= window }
        }
    }

    /// Waits until everything that was submitted is done.
    func drain() { locked { help { gathered < submitted } } }

    /// Waits until everything that was submitted is done, and ends the threads.
    func finish() {
        drain()
        locked {
            isClosed = true
            condition.broadcast()
            while threads > 0 { condition.wait() }
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    /// Works, or waits for others, as long as there is a need. The lock is held.
    private func help(while isNeeded: () -> Bool) {
        while !isStopped, isNeeded() {
            if !workOnce(worker) { condition.wait() }
        }
    }

    fileprivate func work() {
        let worker = makeWorker()
        locked {
            while !isClosed {
                if !workOnce(worker) { condition.wait() }
            }
            threads -= 1
            condition.broadcast()
        }
    }

    /// Does one job, without the lock meanwhile; answers false if there is none.
    private func workOnce(_ worker: Gatherer.Worker) -> Bool {
        guard !waiting.isEmpty else { return false }
        let job = waiting.removeFirst()
        condition.unlock()
        let output = worker.output(of: job.chunk)
        condition.lock()
        done[job.number] = (job.chunk, output)
        while !isStopped, let (chunk, output) = done.removeValue(forKey: gathered) {
            gathered += 1
            isStopped = !gatherer.gather(output, of: chunk, by: worker)
        }
        if isStopped {
            waiting.removeAll()
            done.removeAll()
        }
        condition.broadcast()
        return true
    }
}

/// What a thread works for. That it is not generic lets its type go from one thread to the other.
private protocol Crew: AnyObject, Sendable {
    func work()
}

extension Thread {
    fileprivate static func start(_ crew: any Crew) {
        let thread = Thread { crew.work() }
        // Schemas within schemas are checked by recursion.
        thread.stackSize = 8 << 20
        thread.start()
    }
}
