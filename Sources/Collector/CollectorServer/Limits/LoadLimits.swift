internal import CollectorStore
internal import Primitives

/// Bounds the number of concurrent requests and the bytes that they hold; further requests get 503, so memory use
/// stays flat. An address may use as much as it leaves for others. Thread-safe.
final class LoadLimits: Sendable {
    private let state: Locked<(requests: Shares, bytes: Shares)>

    init(requests: Int, bytes: Int) {
        state = Locked((Shares(maximum: requests), Shares(maximum: bytes)))
    }

    var requests: Int { state.withLock { $0.requests.total } }
    var bytes: Int { state.withLock { $0.bytes.total } }

    /// Starts a request, unless too many are in progress.
    ///
    /// - Parameter address: The client's; nil if it is unknown. Also of the other functions.
    func begin(_ address: String?) -> Bool { state.withLock { $0.requests.add(1, of: address) } }

    /// Reserves bytes for a request, unless too many are reserved.
    func add(bytes: Int, _ address: String?) -> Bool { state.withLock { $0.bytes.add(bytes, of: address) } }

    /// Releases bytes that a request reserved and does not need.
    func release(bytes: Int, _ address: String?) { state.withLock { $0.bytes.remove(bytes, of: address) } }

    /// Ends a request, and releases its bytes.
    func end(bytes: Int, _ address: String?) {
        state.withLock { state in
            state.requests.remove(1, of: address)
            state.bytes.remove(bytes, of: address)
        }
    }
}
