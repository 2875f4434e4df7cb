package import EventLog
internal import Primitives

/// A double whose time the test controls: each stay in the background has a budget, after which all assertions expire.
package final class BackgroundTimeDouble: BackgroundTime {
    private struct State {
        var remaining: Duration?
        var assertions: [Int: (name: String, onExpiry: @Sendable () -> Void)] = [:]
        var names: [String] = []
        var lastID = 0
    }

    private let state = Locked(State())
    /// The names of assertions, as they begin.
    private let beginnings: AsyncStream<String>
    private let beginning: AsyncStream<String>.Continuation

    private let endings: AsyncStream<Void>
    private let ending: AsyncStream<Void>.Continuation

    package init() {
        (beginnings, beginning) = AsyncStream.makeStream()
        (endings, ending) = AsyncStream.makeStream()
    }

    /// Returns when no assertion is held.
    package func awaitEnd() async {
        guard !held.isEmpty else { return }
        for await _ in endings where held.isEmpty { return }
    }

    /// Returns when an assertion with the name begins that was not awaited before.
    package func awaitBeginning(of name: String) async {
        for await begun in beginnings where begun == name { return }
    }

    private struct Assertion: BackgroundAssertion {
        let time: BackgroundTimeDouble
        let id: Int

        func end() {
            let hasEnded = time.state.withLock { $0.assertions.removeValue(forKey: id) != nil }
            if hasEnded { time.ending.yield() }
        }
    }

    package func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
        state.withLock { state in
            if let remaining = state.remaining, remaining <= .zero { return nil }
            state.lastID += 1
            state.assertions[state.lastID] = (name, onExpiry)
            state.names.append(name)
            beginning.yield(name)
            return Assertion(time: self, id: state.lastID)
        }
    }

    /// Puts the app into the background, with a budget of time.
    package func enterBackground(for budget: Duration) { state.withLock { $0.remaining = budget } }

    /// Makes the app active again.
    package func becomeActive() { state.withLock { $0.remaining = nil } }

    /// Advances the time. When the budget is used up, all holders of assertions are notified.
    package func advance(by duration: Duration) {
        let expired = state.withLock { state -> [@Sendable () -> Void] in
            guard let remaining = state.remaining, remaining > .zero else { return [] }
            state.remaining = remaining - duration
            return remaining > duration ? [] : state.assertions.values.map(\.onExpiry)
        }
        for onExpiry in expired { onExpiry() }
    }

    /// The names of the held assertions.
    package var held: [String] { state.withLock { $0.assertions.sorted { $0.key < $1.key }.map(\.value.name) } }

    /// The names of all assertions, in order.
    package var begun: [String] { state.withLock { $0.names } }
}
