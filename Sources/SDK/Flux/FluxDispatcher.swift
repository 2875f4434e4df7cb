public import Primitives
public import Synchronization

/// Passes actions on to its subscribers: synchronously, one at a time, in the order they were dispatched.
///
/// ```swift
/// let dispatcher = FluxDispatcher<RouteAction>()
/// let subscription = dispatcher.subscribe { action in print(action) }
/// dispatcher.dispatch(.show(.search))   // has been printed when dispatch returns
/// ```
///
/// **Order.** Every subscriber sees every action, and all see them in the same order.
///
/// **Re-entrancy.** An action that a subscriber dispatches is queued and delivered after the current one has
/// reached all its subscribers; delivery never recurses.
///
/// **Threads.** `dispatch` may be called from any thread. While one thread delivers, an action of another
/// thread is queued and delivered by the first; the second returns at once. Subscribers are therefore never
/// called concurrently by one dispatcher, and no lock is held while they run.
public final class FluxDispatcher<Action: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var subscribers: [Subscriber<Action>] = []
        /// Actions that were dispatched during the delivery, oldest first.
        @usableFromInline var waiting: [Action] = []
        @usableFromInline var isDelivering = false

        @usableFromInline init() {}
    }

    @usableFromInline let state = Locked(State())
    /// Counts the changes of `subscribers`: after the change, under the lock.
    @usableFromInline let changes = Atomic(0)

    /// Makes a dispatcher without subscribers.
    public init() {}

    /// Delivers an action to the subscribers, or queues it behind the one being delivered.
    ///
    /// - Complexity: O(subscribers).
    @inlinable
    public func dispatch(_ action: Action) {
        dispatch { place in
            place.initialize(to: action)
            return true
        }
    }

    /// Makes an action at its place in the order of delivery, then delivers it.
    ///
    /// Whatever is drawn in `make` (a sequence number, say) rises in the order in which subscribers see the
    /// actions, whichever threads dispatch.
    ///
    /// Inlinable, as is all of the way of an action: code that is not specialized for the action's type copies it
    /// from hand to hand.
    ///
    /// - Parameter make: Runs under the dispatcher's lock: it must be short, do no I/O and not dispatch here.
    ///   Initializes the memory with the action and answers true; or false, which dispatches nothing.
    @inlinable
    package func dispatch(_ make: (_ place: UnsafeMutablePointer<Action>) -> Bool) {
        withUnsafeTemporaryAllocation(of: Action.self, capacity: 1) { memory in
            guard let place = memory.baseAddress else { return }  // never: there is room for one
            let subscribers: [Subscriber<Action>]? = state.withLock { state in
                guard make(place) else { return nil }
                guard !state.isDelivering else {
                    state.waiting.append(place.move())
                    return nil
                }
                state.isDelivering = true
                return state.subscribers
            }
            guard let subscribers else { return }
            Subscriber.receive(place.move(), subscribers)
            if !endDelivery() { deliverWaiting(subscribers) }
        }
    }

    /// Ends the delivery, unless an action is waiting.
    @inlinable
    @inline(__always)
    func endDelivery() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.isDelivering = false
            return true
        }
    }

    /// Delivers what was queued meanwhile, and ends the delivery.
    ///
    /// All that waits is taken at once: threads that queue actions have the lock for themselves until then.
    @inlinable
    func deliverWaiting(_ subscribers: [Subscriber<Action>]) {
        var subscribers = subscribers
        var known = -1
        var batch: [Action] = []
        repeat {
            state.withLock { swap(&$0.waiting, &batch) }
            for action in batch {
                let current = changes.load(ordering: .acquiring)
                if current != known { subscribers = state.withLock { $0.subscribers } }
                known = current
                Subscriber.receive(action, subscribers)
            }
            batch.removeAll(keepingCapacity: batch.capacity <= 1024)
        } while !endDelivery()
    }

    /// Calls `receive` with every action whose delivery starts from now on, until the subscription ends.
    ///
    /// Subscribing during a delivery shows the actions after the current one, those queued already among them.
    ///
    /// - Parameter receive: Runs on the delivering thread, one action at a time.
    /// - Returns: The token that keeps the subscription alive: dropping or cancelling it ends it.
    public func subscribe(_ receive: @escaping @Sendable (Action) -> Void) -> FluxSubscription {
        let subscriber = Subscriber(receive)
        change { $0.append(subscriber) }
        return FluxSubscription { [weak self] in
            subscriber.cancel()
            self?.change { subscribers in subscribers.removeAll { $0 === subscriber } }
        }
    }

    private func change(_ change: (inout [Subscriber<Action>]) -> Void) {
        state.withLock { state in
            change(&state.subscribers)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }
}
