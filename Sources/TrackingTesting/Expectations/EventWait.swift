internal import Locking

/// Somebody who waits for an event.
final class EventWait: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Void, any Error>)
        case ended(CancellationError?)
    }

    let pattern: EventPattern
    private let state = Locked(State.open)

    init(_ pattern: EventPattern) { self.pattern = pattern }

    /// Waits until ``end(by:)`` was called, before or after.
    func untilEnded() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let ended: CancellationError?? = state.withLock { state in
                if case .ended(let error) = state { return .some(error) }
                state = .waiting(continuation)
                return nil
            }
            if let ended { Self.resume(continuation, ended) }
        }
    }

    func end(by error: CancellationError?) {
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
