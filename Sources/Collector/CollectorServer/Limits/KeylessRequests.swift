internal import Primitives

/// Bounds the requests that have not named a known key yet: anyone can send them, so they must not use up what
/// requests with a key need. Thread-safe.
final class KeylessRequests: Sendable {
    /// The maximum number of concurrent requests, and of those from one address.
    static let maximum = 64
    static let maximumPerAddress = 8

    private let state = Locked<(all: Int, byAddress: [String: Int])>((0, [:]))

    /// Starts a request, unless too many are in progress.
    ///
    /// - Parameter address: The client's; nil if it is unknown. Also of ``end(_:)``.
    func begin(_ address: String?) -> Bool {
        state.withLock { state in
            let own = address.map { state.byAddress[$0] ?? 0 } ?? 0
            guard state.all < Self.maximum, own < Self.maximumPerAddress else { return false }
            state.all += 1
            if let address { state.byAddress[address] = own + 1 }
            return true
        }
    }

    /// Ends a request, or passes it on to ``LoadLimits`` when its key is known.
    func end(_ address: String?) {
        state.withLock { state in
            state.all -= 1
            guard let address else { return }
            let own = (state.byAddress[address] ?? 1) - 1
            state.byAddress[address] = own == 0 ? nil : own
        }
    }
}
