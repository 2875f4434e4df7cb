public import Primitives

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
        @usableFromInline var subscribers = SubscriberList<Action>([])
        /// Lists that were replaced during the delivery, which may still go through them.
        @usableFromInline var former: [SubscriberList<Action>] = []
        /// Actions that were dispatched during the delivery, oldest first.
        @usableFromInline var waiting: [Action] = []
        /// Whether there is an action in `kept`.
        @usableFromInline var hasKept = false

        @usableFromInline init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let delivery = Atomic(DeliveryPhase.none)
    /// Counts the changes of `subscribers`: after the change, under the lock.
    @usableFromInline let changes = Atomic(0)
    /// Where ``dispatch(_:retire:)`` keeps its last action. It belongs to whoever delivers; while nobody does, to whoever has
    /// the lock.
    @usableFromInline nonisolated(unsafe) let kept: UnsafeMutablePointer<Action>

    /// Makes a dispatcher without subscribers.
    public init() { kept = .allocate(capacity: 1) }

    deinit {
        if state.withLock({ $0.hasKept }) { kept.deinitialize(count: 1) }
        kept.deallocate()
    }

    /// Delivers an action to the subscribers, or queues it behind the one being delivered.
    ///
    /// - Complexity: O(subscribers).
    @inlinable
    public func dispatch(_ action: Action) {
        dispatch { location in
            location.initialize(to: action)
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
    package func dispatch(_ make: (_ location: UnsafeMutablePointer<Action>) -> Bool) {
        withUnsafeTemporaryAllocation(of: Action.self, capacity: 1) { memory in
            guard let location = memory.baseAddress else { return }  // never: there is room for one
            let subscribers: Unmanaged<SubscriberList<Action>>? = state.withLock { state in
                guard make(location) else { return nil }
                if isDelivering() {
                    state.waiting.append(location.move())
                    return nil
                }
                delivery.store(DeliveryPhase.running, ordering: .relaxed)
                return Unmanaged.passUnretained(state.subscribers)
            }
            guard let subscribers else { return }
            SubscriberList.receive(location.move(), subscribers)
            if !endDelivery() { deliverWaiting(subscribers) }
        }
    }

    /// The same, for actions that are much like the one before: that is kept, and made into the next.
    ///
    /// - Parameters:
    ///   - make: As for ``dispatch(_:)``. With `renews` there is an action in the memory, which it changes, or leaves as it is
    ///     if it answers false.
    ///   - retire: Takes out of an action that was delivered what is not to be kept. It may do anything when it goes: not
    ///     under the lock, and what it dispatches is delivered next.
    @inlinable
    package func dispatch(
        _ make: (_ location: UnsafeMutablePointer<Action>, _ renews: Bool) -> Bool, retire: (inout Action) -> Void
    ) {
        let subscribers: Unmanaged<SubscriberList<Action>>? = state.withLock { state in
            // Nothing is delivered from here on: it begins under the lock.
            if isDelivering() {
                queue(make, &state)
                return nil
            }
            guard make(kept, state.hasKept) else { return nil }
            state.hasKept = true
            delivery.store(DeliveryPhase.running, ordering: .relaxed)
            return Unmanaged.passUnretained(state.subscribers)
        }
        guard let subscribers else { return }
        // Moved out and back, which counts nothing: lent from there, it would be copied.
        var action = kept.move()
        SubscriberList.receive(action, subscribers)
        retire(&action)
        kept.initialize(to: consume action)
        if !endDelivery() { deliverWaiting(subscribers) }
    }

    /// Makes an action and queues it behind the one being delivered.
    @inlinable
    @inline(never)
    func queue(_ make: (_ location: UnsafeMutablePointer<Action>, _ renews: Bool) -> Bool, _ state: inout State) {
        withUnsafeTemporaryAllocation(of: Action.self, capacity: 1) { memory in
            guard let location = memory.baseAddress, make(location, false) else { return }
            state.waiting.append(location.move())
        }
    }

    /// Whether a thread delivers; then it has been asked to come by. Under the lock.
    @inlinable
    @inline(__always)
    func isDelivering() -> Bool {
        delivery.load(ordering: .acquiring) != DeliveryPhase.none
            && delivery.compareExchange(
                expected: DeliveryPhase.running, desired: DeliveryPhase.asked, successOrdering: .relaxed,
                failureOrdering: .acquiring
            ).original != DeliveryPhase.none
    }

    /// Ends the delivery, unless somebody has asked for more.
    @inlinable
    @inline(__always)
    func endDelivery() -> Bool {
        delivery.compareExchange(
            expected: DeliveryPhase.running, desired: DeliveryPhase.none, successOrdering: .releasing,
            failureOrdering: .relaxed
        ).exchanged
    }

    /// Delivers what was queued meanwhile, and ends the delivery.
    ///
    /// All that waits is taken at once: threads that queue actions have the lock for themselves until then.
    @inlinable
    func deliverWaiting(_ subscribers: Unmanaged<SubscriberList<Action>>) {
        var subscribers = subscribers
        var known = -1
        var batch: [Action] = []
        var former: [SubscriberList<Action>] = []
        repeat {
            state.withLock { state in
                swap(&state.waiting, &batch)
                // Asked for the first time again by what comes from now on.
                delivery.store(DeliveryPhase.running, ordering: .relaxed)
                // Their subscribers may do anything when they go: not under the lock.
                swap(&state.former, &former)
                subscribers = Unmanaged.passUnretained(state.subscribers)
            }
            former.removeAll()
            for action in batch {
                let current = changes.load(ordering: .acquiring)
                if current != known {
                    subscribers = state.withLock { Unmanaged.passUnretained($0.subscribers) }
                }
                known = current
                SubscriberList.receive(action, subscribers)
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
        change { $0 + [subscriber] }
        return FluxSubscription { [weak self] in
            subscriber.cancel()
            self?.change { subscribers in subscribers.filter { $0 !== subscriber } }
        }
    }

    private func change(_ change: ([Subscriber<Action>]) -> [Subscriber<Action>]) {
        // Whoever goes with it may do anything: not under the lock.
        let replaced = state.withLock { state in
            let replaced = state.subscribers
            state.subscribers = SubscriberList(change(replaced.all))
            if isDelivering() { state.former.append(replaced) }
            changes.wrappingAdd(1, ordering: .releasing)
            return replaced
        }
        withExtendedLifetime(replaced) {}
    }
}

/// Whether a thread delivers. One begins, and is asked to come by, under the dispatcher's lock; it ends without it, unless
/// it was asked.
@usableFromInline
enum DeliveryPhase {
    @inlinable static var none: UInt8 { 0 }
    @inlinable static var running: UInt8 { 1 }
    /// The delivering thread must take the lock before it ends.
    @inlinable static var asked: UInt8 { 2 }
}
