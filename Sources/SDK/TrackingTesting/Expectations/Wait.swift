internal import Primitives

/// A wait that something ends: what is waited for, or the cancellation of the task.
final class Wait: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Void, any Error>)
        case ended(CancellationError?)
    }

    private let state = Locked(State.open)

    /// Waits until ``end(by:)`` was called, before or after, or the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    func untilEnded(isolation: isolated (any Actor)? = #isolation) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ended: CancellationError?? = state.withLock { state in
                    if case .ended(let error) = state { return .some(error) }
                    state = .waiting(continuation)
                    return nil
                }
                if let ended { Self.resume(continuation, ended) }
            }
        } onCancel: {
            end(by: CancellationError())
        }
    }

    /// Ends the wait; once.
    func end(by error: CancellationError? = nil) {
        let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
            if case .ended = state { return nil }
            defer { state = .ended(error) }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        if let waiting { Self.resume(waiting, error) }
    }

    private static func resume(_ continuation: CheckedContinuation<Void, any Error>, _ error: CancellationError?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
}
