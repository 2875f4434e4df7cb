internal import Primitives
internal import TrackingCore

/// Background time for a delivery. Ends with the delivery, or when the system revokes the time.
final class DeliveryTime: Sendable {
    private struct State {
        var assertion: (any BackgroundAssertion)?
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Begins the time. When this returns, the time is in effect, so a callback of the system may return.
    ///
    /// - Parameters:
    ///   - time: Grants the time. Without a grant, the delivery runs under the log's own time.
    ///   - name: The purpose, shown in the system's logs.
    init(_ time: any BackgroundTime, _ name: String) {
        let assertion = time.begin(name) { [weak self] in self?.end() }
        let hasEnded = state.withLock { state in
            state.assertion = assertion
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    /// Ends the time. Calling this again does nothing.
    func end() {
        let assertion = state.withLock { state in
            state.hasEnded = true
            defer { state.assertion = nil }
            return state.assertion
        }
        assertion?.end()
    }
}

extension Tracker {
    /// Delivers events, and asks the system not to suspend the app meanwhile.
    ///
    /// - Returns: The delivery. Its background time is in effect when this returns.
    @discardableResult
    func flush(in time: any BackgroundTime, named name: String = "Delivering tracked events") -> Task<Void, Never> {
        let time = DeliveryTime(time, name)
        return Task {
            await flush()
            time.end()
        }
    }
}
