internal import Foundation
public import Repositories

/// Holds requests until the test responds, in any order.
///
/// ```swift
/// let held = HeldAnswers<String, [Repository]>()
/// search.repositories.answers { query throws(RequestFailure) in try await held.answer(to: query) }
/// …
/// await held.requests(1)
/// held.answer("flux", with: .success([.flux]))
/// ```
///
/// Concurrent requests must differ. A cancelled request fails with `.cancelled`. Thread-safe.
// `lock` guards the state.
public final class HeldAnswers<Request: Hashable & Sendable, Answer: Sendable>: @unchecked Sendable {
    private typealias Waiting = CheckedContinuation<Result<Answer, RequestFailure>, Never>

    private struct State {
        var open: [Request: Waiting] = [:]
        var cancelled: Set<Request> = []
        var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let lock = NSLock()
    private var content = State()

    public init() {}

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&content) }
    }

    /// The requests that were cancelled before their response.
    public var cancelled: Set<Request> { withState { $0.cancelled } }

    /// Returns when `count` requests are open. For one caller at a time.
    public func requests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = withState { state in
                if state.open.count < count { state.awaited = (count, continuation) }
                return state.open.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    /// Responds to an open request.
    public func answer(_ request: Request, with answer: Result<Answer, RequestFailure>) {
        withState { $0.open.removeValue(forKey: request) }?.resume(returning: answer)
    }

    /// Waits for the test's response to a request. Use it as the answer of a double.
    public func answer(to request: Request) async throws(RequestFailure) -> Answer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { open(request, $0) }
        } onCancel: {
            cancel(request)
        }
        return try result.get()
    }

    private func open(_ request: Request, _ waiting: Waiting) {
        let (isCancelled, awaiting) = withState { state in
            if state.cancelled.contains(request) { return (true, nil as CheckedContinuation<Void, Never>?) }
            state.open[request] = waiting
            guard let awaited = state.awaited, awaited.count <= state.open.count else { return (false, nil) }
            state.awaited = nil
            return (false, awaited.continuation)
        }
        if isCancelled { waiting.resume(returning: .failure(.cancelled)) }
        awaiting?.resume()
    }

    private func cancel(_ request: Request) {
        let waiting = withState { state in
            state.cancelled.insert(request)
            return state.open.removeValue(forKey: request)
        }
        waiting?.resume(returning: .failure(.cancelled))
    }
}
