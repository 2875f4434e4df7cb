internal import Primitives

/// A lock that may be held across suspensions. Waiting tasks get it in order.
final class AsyncLock: Sendable {
    private let state = Locked<(isHeld: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    /// Runs `body` exclusively.
    func run<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
        await lock()
        defer { unlock() }
        return try await body()
    }

    private func lock() async {
        await withCheckedContinuation { continuation in
            let isMine = state.withLock { state in
                if state.isHeld {
                    state.waiting.append(continuation)
                    return false
                }
                state.isHeld = true
                return true
            }
            if isMine { continuation.resume() }
        }
    }

    private func unlock() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isHeld = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
