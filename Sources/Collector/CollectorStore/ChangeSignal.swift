internal import Primitives

/// Wakes tasks that wait for changes. Thread-safe.
package final class ChangeSignal: Sendable {
    private struct State {
        var announcements: UInt64 = 1
        var isClosed = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the last announcement was made.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    package var last: UInt64 { state.withLock { $0.announcements } }

    /// Resumes all waiting tasks. Costs a lock if none waits.
    package func announce(isLast: Bool = false) {
        let waiting = state.withLock { state in
            state.announcements += 1
            state.isClosed = state.isClosed || isLast
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits for an announcement after the given one, for the last announcement, or for cancellation.
    ///
    /// - Parameter announcement: The result of the previous call; 0 returns immediately.
    package func next(after announcement: UInt64) async -> UInt64 {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    // A cancellation before this point resumes nothing, so it is checked here.
                    if state.announcements > announcement || state.isClosed || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        return state.withLock { $0.announcements }
    }
}
