internal import EventLog
internal import Primitives

/// The changes of consent that are not stored yet, in their order.
final class ConsentStorage: Sendable {
    /// A change, or a mark behind earlier changes.
    struct Pending: Sendable {
        let change: NumberedConsentChange?
        /// Waits until it is stored; nil if no caller does.
        let stored: Awaited<Void>?
    }

    private struct State {
        var pending: [Pending] = []
        var isStoring = false
    }

    private let state = Locked(State())

    /// Adds a change.
    ///
    /// - Returns: Whether the caller has to call ``next()`` until it returns nil.
    func add(_ change: NumberedConsentChange, _ stored: Awaited<Void>?) -> Bool {
        state.withLock { state in
            state.pending.append(Pending(change: change, stored: stored))
            defer { state.isStoring = true }
            return !state.isStoring
        }
    }

    /// Adds a mark behind the changes so far; false if all are stored.
    func addMark(_ reached: Awaited<Void>) -> Bool {
        state.withLock { state in
            if state.isStoring { state.pending.append(Pending(change: nil, stored: reached)) }
            return state.isStoring
        }
    }

    /// Removes the changes to store next; nil if there are none.
    func next() -> [Pending]? {
        state.withLock { state in
            let next = state.pending
            state.pending = []
            state.isStoring = !next.isEmpty
            return next.isEmpty ? nil : next
        }
    }
}
