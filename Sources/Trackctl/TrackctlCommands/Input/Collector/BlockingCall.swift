internal import Dispatch
internal import LogFiles
internal import Primitives

/// Waits in synchronous code for asynchronous work, which runs on a thread of its own: a caller that holds one of the few
/// threads of Swift's pool does not keep the work from its end.
enum BlockingCall {
    /// Does some work. A signal cancels its task.
    ///
    /// - Throws: What the work throws.
    static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = Locked<Result<Value, Failure>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let task = Task(executorPreference: OwnThread()) {
            let outcome: Result<Value, Failure>
            do throws(Failure) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
        let watch = InterruptionWatch { task.cancel() }
        defer { withExtendedLifetime(watch) {} }
        while true {
            isDone.wait()
            if let outcome = result.withLock({ $0 }) { return try outcome.get() }
        }
    }
}

/// Runs the jobs of one task, one after the other, on a queue of its own.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "request")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
