internal import Dispatch
internal import Primitives

/// Runs asynchronous work from synchronous code and waits for it. The work has its own thread, so a caller that
/// blocks a thread of Swift's pool cannot deadlock it.
package enum BlockingCall {
    /// Runs the work. A signal cancels its task.
    ///
    /// - Throws: Everything that the work throws.
    package static func run<Value: Sendable, Failure: Error>(
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

/// Runs the jobs of one task serially on a private queue.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "request")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
