internal import Foundation
internal import LogFiles

/// Processes chunks on several threads. The result does not depend on the number of threads.
///
/// The reading thread helps when the others lag behind; a pool of one job has only that thread.
final class WorkerPool<Reducer: ChunkReducer>: ThreadWork, @unchecked Sendable {  // `condition` guards all that changes
    private struct Job {
        let number: Int
        let chunk: LineChunk
    }

    private let condition = NSCondition()
    private let reducer: Reducer
    /// The worker of the reading thread.
    private let worker: Reducer.Worker
    private let makeWorker: @Sendable () -> Reducer.Worker
    /// The most chunks in flight.
    private let window: Int
    private var waiting: [Job] = []
    private var done: [Int: (chunk: LineChunk, output: Reducer.Worker.Output)] = [:]
    private var submitted = 0
    private var reduced = 0
    private var isStopped = false
    private var isClosed = false
    private var threads = 0

    /// Creates a pool and starts its threads.
    ///
    /// - Parameters:
    /// - jobs: The number of threads, including the reading thread.
    /// - reducer: Until ``finish()``, only the pool may use it.
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

    /// Whether the reducer has stopped the pool.
    var isDone: Bool { locked { isStopped } }

    /// Adds a chunk. Helps processing if too many chunks are in flight.
    func submit(_ chunk: LineChunk) {
        locked {
            guard !isStopped else { return }
            waiting.append(Job(number: submitted, chunk: chunk))
            submitted += 1
            condition.broadcast()
            help { submitted - reduced >= window }
        }
    }

    /// Waits until all submitted chunks are processed.
    func drain() { locked { help { reduced < submitted } } }

    /// Waits until all submitted chunks are processed, and ends the threads.
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

    /// Processes chunks, or waits for other threads, while `isNeeded`. Requires the lock.
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

    /// Processes one chunk, releasing the lock meanwhile; returns false if there is none.
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

/// The work of a thread. Not generic, so that its metatype can cross threads.
private protocol ThreadWork: AnyObject, Sendable {
    func work()
}

extension Thread {
    fileprivate static func start(_ pool: any ThreadWork) {
        let streams = StandardStreams.current
        let thread = Thread { StandardStreams.$current.withValue(streams) { pool.work() } }
        // Checking nested schemas is recursive.
        thread.stackSize = 8 << 20
        thread.start()
    }
}

/// Processes chunks on one thread.
protocol ChunkWorker: AnyObject {
    associatedtype Output: Sendable

    /// The result for a chunk, independent of other chunks.
    func output(of chunk: LineChunk) -> Output
}

/// Merges the results of workers in chunk order. Called by one thread at a time.
protocol ChunkReducer<Worker>: AnyObject {
    associatedtype Worker: ChunkWorker

    /// Merges the next result; returns false to stop.
    ///
    /// - Parameter worker: The calling thread's worker, to process the chunk again if necessary.
    func reduce(_ output: Worker.Output, of chunk: LineChunk, by worker: Worker) -> Bool
}

/// Feeds the selected lines to a pool.
struct LineScan {
    let request: EventRequest
    let console: Console
    /// Whether the pool may stop early. All lines of an input are then processed before the next input is opened, so
    /// that the result does not depend on the number of threads.
    var mayStop = false

    /// Reads until the end, or until the pool stops. Reports errors and continues with the next input.
    ///
    /// - Parameter atEnd: Called with each input that was read to its end.
    /// - Returns: The stream. Call `conclude()` on it after writing all results.
    /// - Throws: `LogFileError`, `cannotWrite`, if temporary files cannot be written.
    func run<Reducer>(
        _ pool: WorkerPool<Reducer>, atEnd: @escaping (EventSource) throws -> Void = { _ in }
    ) throws -> EventStream {
        Interruption.listen()
        let stream = EventStream(
            request, console: console, isChecked: true, atEnd: atEnd,
            atBorder: {
                // Lines read beyond the stopping point don't count.
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
