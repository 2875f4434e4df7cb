internal import Primitives

/// Bounds the number of concurrent requests and the bytes that they hold; further requests get 503, so memory use
/// stays flat. Thread-safe.
final class LoadLimits: Sendable {
    private let maximumRequests: Int
    private let maximumBytes: Int
    private let state = Locked<(requests: Int, bytes: Int)>((0, 0))

    init(requests: Int, bytes: Int) {
        maximumRequests = requests
        maximumBytes = bytes
    }

    var requests: Int { state.withLock { $0.requests } }
    var bytes: Int { state.withLock { $0.bytes } }

    /// Starts a request, unless too many are in progress.
    func begin() -> Bool {
        state.withLock { state in
            guard state.requests < maximumRequests else { return false }
            state.requests += 1
            return true
        }
    }

    /// Reserves bytes for a request, unless too many are reserved.
    func add(bytes: Int) -> Bool {
        state.withLock { state in
            guard state.bytes + bytes <= maximumBytes else { return false }
            state.bytes += bytes
            return true
        }
    }

    /// Releases bytes that a request reserved and does not need.
    func release(bytes: Int) { state.withLock { $0.bytes -= bytes } }

    /// Ends a request, and releases its bytes.
    func end(bytes: Int) {
        state.withLock { state in
            state.requests -= 1
            state.bytes -= bytes
        }
    }
}
