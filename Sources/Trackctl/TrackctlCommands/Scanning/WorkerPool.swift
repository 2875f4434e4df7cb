internal import Foundation
internal import LogFiles

/// Threads that work on chunks at the same time. What comes out is the same for any number of threads.
///
/// The thread that reads works with them when they lag behind, so that a pool of one is that thread alone.
final class WorkerPool<Reducer: ChunkReducer>: ThreadWork, @unchecked Sendable {  // `condition` guards all that changes
    private struct Job {
        let number: Int
        let chunk: LineChunk
    }

    private let condition = NSCondition()
    private let reducer: Reducer
    /// The reading thread's own.
    private let worker: Reducer.Worker
    private let makeWorker: @Sendable () -> Reducer.Worker
    /// How many chunks may be under way.
    private let window: Int
    private var waiting: [Job] = []
    private var done: [Int: (chunk: LineChunk, output: Reducer.Worker.Output)] = [:]
    private var submitted = 0
    private var reduced = 0
    private var isStopped = false
    private var isClosed = false
    private var threads = 0

    /// Makes a pool and starts its threads.
    ///
    /// - Parameters:
    ///   - jobs: How many threads there are, the one that reads included.
    ///   - reducer: Only the pool may use it until ``finish()``.
    init(jobs: Int, reducer: Reducer, makeWorker: @escaping @Sendable () -> Reducer.Worker) {
        self.reducer = reducer
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
            help { submitted - reduced >= window }
        }
    }

    /// Waits until everything that was submitted is done.
    func drain() { locked { help { reduced < submitted } } }

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
    private func workOnce(_ worker: Reducer.Worker) -> Bool {
        guard !waiting.isEmpty else { return false }
        let job = waiting.removeFirst()
        condition.unlock()
        let output = worker.output(of: job.chunk)
        condition.lock()
        done[job.number] = (job.chunk, output)
        while !isStopped, let (chunk, output) = done.removeValue(forKey: reduced) {
            reduced += 1
            isStopped = !reducer.reduce(output, of: chunk, by: worker)
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
private protocol ThreadWork: AnyObject, Sendable {
    func work()
}

extension Thread {
    fileprivate static func start(_ pool: any ThreadWork) {
        let streams = StandardStreams.current
        let thread = Thread { StandardStreams.$current.withValue(streams) { pool.work() } }
        // Schemas within schemas are checked by recursion.
        thread.stackSize = 8 << 20
        thread.start()
    }
}

/// Makes something of chunks, for one thread.
protocol ChunkWorker: AnyObject {
    associatedtype Output: Sendable

    /// What is to be said of a chunk by itself.
    func output(of chunk: LineChunk) -> Output
}

/// Puts together what workers made, in the order of the chunks, whoever made it. One thread at a time calls it.
protocol ChunkReducer<Worker>: AnyObject {
    associatedtype Worker: ChunkWorker

    /// Takes the next output; answers false to see no more.
    ///
    /// - Parameter worker: Of the thread that calls, to be asked again if need be.
    func reduce(_ output: Worker.Output, of chunk: LineChunk, by worker: Worker) -> Bool
}

/// Gives the lines that a command was asked for to a pool.
struct LineScan {
    let request: EventRequest
    let console: Console
    /// Whether the pool may want no more before the end. Then no input is begun before all lines of the one before are
    /// done, so that what is read is the same for any number of threads.
    var mayStop = false

    /// Reads until everything was read or the pool wants no more; faults are reported, and the next input is read.
    ///
    /// - Parameter atEnd: Called with each input that was read to its end.
    /// - Returns: The stream, to be concluded when all results are out.
    /// - Throws: `LogFileError`, `cannotWrite`, if there is no room for what must be kept until the end.
    func run<Reducer>(
        _ pool: WorkerPool<Reducer>, atEnd: @escaping (EventSource) throws -> Void = { _ in }
    ) throws -> EventStream {
        Interruption.listen()
        let stream = EventStream(
            request, console: console, isChecked: true, atEnd: atEnd,
            atBorder: {
                // What was read ahead, past the line where the pool stopped, does not count.
                if mayStop { pool.drain() }
                return !pool.isDone
            })
        defer {
            pool.finish()
            console.clearProgress()
        }
        while !pool.isDone, let chunk = try stream.next() { pool.submit(chunk) }
        return stream
    }
}
