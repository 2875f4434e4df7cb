internal import Primitives
public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Waits for an event that a pattern takes: of code under test that starts a task of its own and gives a test nothing to
    /// wait for. Returns at once if such an event has fired that no expectation has asserted. Asserts nothing.
    ///
    /// ```swift
    /// screen.reloadTapped()  // starts a task
    /// try await recorder.waitUntilFired(.any(ListLoaded.self))
    /// recorder.expect(.listLoaded(count: 3))
    /// ```
    ///
    /// It is resumed by the event itself. What never fires is waited for until the test is cancelled, by the trait
    /// `.timeLimit` of Swift Testing. XCTest cancels nothing: give it a limit of its own there.
    ///
    /// - Parameters:
    ///   - pattern: Which event.
    ///   - limit: How long it is waited for at most; nil for as long as the test may take.
    /// - Throws: `CancellationError` if the task is cancelled before, or the limit is over; that fails the test, with what
    ///   was waited for.
    public func waitUntilFired(
        _ pattern: EventPattern, within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws {
        let wait = EventWait(pattern)
        begin(wait)
        // What fired before the wait began is looked at after, so that nothing slips between.
        if withSteps({ $0.unassertedEvents() }).contains(where: { pattern.matches($0.container) }) { end(wait) }
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
                    "it did not fire within \(limit): \(pattern)"
                } else {
                    "the test was cancelled while it waited for \(pattern)"
                }
            fail(
                message + report(withSteps { $0.drops(from: 0) }),
                at: CodeLocation(sourceLocation, fileID, filePath, line, column))
            throw error
        }
    }

    /// The same for an event.
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

/// Somebody who waits for an event.
struct EventWait: Sendable {
    let pattern: EventPattern
    let wait = Wait()

    init(_ pattern: EventPattern) { self.pattern = pattern }
}
