internal import Primitives
public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Waits for an event that matches a pattern. Use it if the code under test starts a task of its own that the test
    /// can't await. Returns immediately if a matching unasserted event has already fired. Asserts nothing.
    ///
    /// ```swift
    /// screen.reloadTapped()  // starts a task
    /// try await recorder.waitUntilFired(.any(ListLoaded.self))
    /// recorder.expect(.listLoaded(count: 3))
    /// ```
    ///
    /// The event itself resumes the waiting task. If it never fires, the test waits until it is canceled by the trait
    /// `.timeLimit` of Swift Testing. XCTest does not cancel tests: pass a limit there.
    ///
    /// - Parameters:
    ///   - pattern: The event to wait for.
    ///   - limit: The maximum wait; nil to wait as long as the test may take.
    /// - Throws: `CancellationError` if the task is canceled first, or the limit is exceeded. This also fails the test,
    ///   with the pattern in the message.
    public func waitUntilFired(
        _ pattern: EventPattern, within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws {
        let wait = EventWait(pattern)
        begin(wait)
        // Checked after the wait has begun, so that no event is missed.
        if withSteps({ $0.unassertedEvents() }).contains(where: { pattern.matches($0) }) { end(wait) }
        let clock = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                wait.wait.end(by: CancellationError())
            }
        }
        defer { clock?.cancel() }
        do {
            try await wait.wait.untilEnded()
        } catch {
            end(wait)
            let message =
                if let limit, !Task.isCancelled {
                    "\(pattern) did not fire within \(limit)"
                } else {
                    "the test was canceled while waiting for \(pattern)"
                }
            fail(
                message + reportDrops(from: 0),
                at: CodeLocation(sourceLocation, fileID, filePath, line, column))
            throw error
        }
    }

    /// Waits for this event, like the overload for a pattern. Asserts nothing.
    public func waitUntilFired(
        _ event: some TrackingEvent, within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async throws {
        try await waitUntilFired(
            .event(event), within: limit, sourceLocation: sourceLocation, fileID: fileID, filePath: filePath,
            line: line, column: column)
    }
}

/// A wait that ends with an event or with the cancellation of the task.
final class Wait: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Void, any Error>)
        case ended(CancellationError?)
    }

    private let state = Locked(State.open)

    /// Waits until ``end(by:)`` is called, before or after this call, or the task is canceled.
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

    /// Ends the wait. Only the first call counts.
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

/// A task that waits for an event.
struct EventWait: Sendable {
    let pattern: EventPattern
    let wait = Wait()

    init(_ pattern: EventPattern) { self.pattern = pattern }
}
