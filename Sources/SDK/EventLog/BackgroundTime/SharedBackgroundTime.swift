internal import Primitives

/// One assertion of the system for all that a log does at the same time: begun by the first user, ended by the last one.
///
/// After the time has expired, ``isOver`` is true until the system gives time again, which the next user asks for. The former
/// users' assertion lasts until they have ended theirs.
package final class SharedBackgroundTime: BackgroundTime {
    /// An assertion of the system's, and who uses it. Under the lock of ``state``.
    private final class Term: @unchecked Sendable {
        var assertion: (any BackgroundAssertion)?
        var isOver = false
        /// What each user does when the time expires.
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

    /// Whether the system has taken the time back, or has given none. One atomic load.
    package var isOver: Bool { over.load(ordering: .acquiring) }

    /// - Throws: ``EventLogError`` `expired` if the log at `path` must not work.
    func check(_ path: String) throws { if isOver { throw EventLogError.expired(path) } }

    package func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> (any BackgroundAssertion)? {
        state.withLock { state in
            let term: Term
            if let current = state.term, !current.isOver {
                term = current
            } else {
                term = Term()
                // Under the lock, so that two users never begin two. The system calls `expire` from elsewhere.
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

    /// A user's part of the assertion; dropping it ends it.
    private final class Share: BackgroundAssertion {
        private let time: SharedBackgroundTime
        private let term: Term
        private let user: Int

        init(time: SharedBackgroundTime, term: Term, user: Int) {
            (self.time, self.term, self.user) = (time, term, user)
        }

        deinit { end() }

        func end() { time.end(user, of: term) }
    }
}
