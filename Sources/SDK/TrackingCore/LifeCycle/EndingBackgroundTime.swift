package import EventLog
internal import Primitives

/// Background time for an activity. Ends with the activity, or when the system revokes the time.
package final class EndingBackgroundTime: Sendable {
    private struct State {
        var assertion: (any BackgroundAssertion)?
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Begins the time. When this returns, the time is in effect, so a callback of the system may return.
    ///
    /// - Parameters:
    ///   - time: Grants the time. Without a grant, the activity runs without it.
    ///   - name: The purpose, shown in the system's logs.
    package init(_ time: any BackgroundTime, _ name: String) {
        let assertion = time.begin(name) { [weak self] in self?.end() }
        let hasEnded = state.withLock { state in
            state.assertion = assertion
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    /// Ends the time. Calling this again does nothing.
    package func end() {
        let assertion = state.withLock { state in
            state.hasEnded = true
            defer { state.assertion = nil }
            return state.assertion
        }
        assertion?.end()
    }
}
