internal import Primitives

/// One system assertion for all concurrent work of a log. The first holder begins the assertion, the last holder ends
/// it.
///
/// After the time has expired, ``isOver`` is true until the system grants new time. The next holder requests it. The
/// expired assertion lasts until every holder has released its share.
package final class SharedBackgroundTime: BackgroundTime {
    /// A system assertion and its users. The lock of ``state`` guards it.
    private final class Term: @unchecked Sendable {
        var assertion: (any BackgroundAssertion)?
        var isOver = false
        /// The expiry handler of each user.
        var users: [Int: @Sendable () -> Void] = [:]
    }

    private struct State {
        var term: Term?
        var lastUser = 0
    }

    private let system: any BackgroundTime
    private let state = Locked(State())
    private let over = Atomic(false)

    package init(_ system: any BackgroundTime) { self.system = system }

    /// Whether the time has expired, or the system granted none. One atomic load.
    package var isOver: Bool { over.load(ordering: .acquiring) }

    /// - Throws: ``EventLogError`` with `expired` if the log at `path` has no time to work.
    func check(_ path: String) throws { if isOver { throw EventLogError.expired(path) } }

    package func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
        state.withLock { state in
            let term: Term
            if let current = state.term, !current.isOver {
                term = current
            } else {
                term = Term()
                // Under the lock, so that two users never begin two assertions. The system calls `expire` on another
                // thread.
                term.assertion = system.begin(name) { [weak self, weak term] in
                    if let term { self?.expire(term) }
                }
                over.store(term.assertion == nil, ordering: .releasing)
                guard term.assertion != nil else { return nil }
                state.term = term
            }
            state.lastUser += 1
            term.users[state.lastUser] = onExpiry
            return Share(time: self, term: term, user: state.lastUser)
        }
    }

    private func expire(_ term: Term) {
        let users = state.withLock { state -> [@Sendable () -> Void] in
            guard term.assertion != nil, !term.isOver else { return [] }
            term.isOver = true
            if state.term === term { over.store(true, ordering: .releasing) }
            return Array(term.users.values)
        }
        for onExpiry in users { onExpiry() }
    }

    private func end(_ user: Int, of term: Term) {
        let assertion = state.withLock { state -> (any BackgroundAssertion)? in
            guard term.users.removeValue(forKey: user) != nil, term.users.isEmpty else { return nil }
            if state.term === term { state.term = nil }
            defer { term.assertion = nil }
            return term.assertion
        }
        assertion?.end()
    }

    /// A user's share of the assertion; releasing the share ends it.
    private final class Share: BackgroundAssertion {
        private let time: SharedBackgroundTime
        private let term: Term
        private let user: Int

        init(time: SharedBackgroundTime, term: Term, user: Int) {
            self.time = time
            self.term = term
            self.user = user
        }

        deinit { end() }

        func end() { time.end(user, of: term) }
    }
}
