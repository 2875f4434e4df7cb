public import Primitives

/// Passes actions to its subscribers: synchronously, one at a time, in the order of dispatch.
///
/// ```swift
/// let dispatcher = FluxDispatcher<RouteAction>()
/// let subscription = dispatcher.subscribe { action in print(action) }
/// dispatcher.dispatch(.show(.search))   // printed when dispatch returns
/// ```
///
/// **Order.** Every subscriber receives every action, in the same order.
///
/// **Re-entrancy.** An action that a subscriber dispatches is queued, and delivered after the current action has
/// reached all subscribers. Delivery never recurses.
///
/// **Threads.** Call `dispatch` on any thread. If another thread is delivering, `dispatch` queues the action for that
/// thread and returns immediately. A dispatcher therefore never calls subscribers concurrently, and holds no lock while
/// they run.
public final class FluxDispatcher<Action: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var subscribers = SubscriberList<Action>([])
        /// Lists that were replaced during the delivery, which may still iterate over them.
        @usableFromInline var former: [SubscriberList<Action>] = []
        /// Actions dispatched during the delivery, oldest first.
        @usableFromInline var waiting: [Action] = []
        /// Whether `kept` has an action.
        @usableFromInline var hasKept = false

        @usableFromInline init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let delivery = Atomic(DeliveryPhase.none)
    /// Counts the changes of `subscribers`. Incremented after the change, under the lock.
    @usableFromInline let changes = Atomic(0)
    /// The last action of ``dispatch(_:retire:)``. It belongs to the delivering thread; without one, to the thread that
    /// holds the lock.
    @usableFromInline nonisolated(unsafe) let kept: UnsafeMutablePointer<Action>

    /// Makes a dispatcher without subscribers.
    public init() { kept = .allocate(capacity: 1) }

    deinit {
        if state.withLock({ $0.hasKept }) { kept.deinitialize(count: 1) }
        kept.deallocate()
    }

    /// Delivers an action to the subscribers, or queues it after the current one.
    ///
    /// - Complexity: O(subscribers).
    @inlinable
    public func dispatch(_ action: Action) {
        dispatch { location in
            location.initialize(to: action)
            return true
        }
    }

    /// Makes an action while its position in the order of delivery is reserved, then delivers it.
    ///
    /// Values that `make` generates, such as a sequence number, therefore increase in the order in which subscribers
    /// receive the actions, whichever threads dispatch.
    ///
    /// Inlinable, like the whole path of an action: code that is not specialized for the action's type copies the
    /// action at each step.
    ///
    /// - Parameter make: Runs under the dispatcher's lock: it must be short, and must not do I/O or dispatch here. It
    ///   initializes the memory with the action and returns true, or returns false to dispatch nothing.
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

    /// Like ``dispatch(_:)``, but keeps the previous action and modifies it, for actions that are similar to their
    /// predecessors.
    ///
    /// - Parameters:
    ///   - make: As for ``dispatch(_:)``. If `renews` is true, the memory has an action, which `make` modifies, or
    ///     leaves unchanged if it returns false.
    ///   - retire: Removes from a delivered action the values that must not be kept. Runs without the lock, since
    ///     releasing values may run any code. Actions that it dispatches are delivered next.
    @inlinable
    package func dispatch(
        _ make: (_ location: UnsafeMutablePointer<Action>, _ renews: Bool) -> Bool, retire: (inout Action) -> Void
    ) {
        let subscribers: Unmanaged<SubscriberList<Action>>? = state.withLock { state in
            // Not delivered from here: the delivery begins under the lock.
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
        // Moved out and back, without a retain. Borrowing from there would copy the action.
        var action = kept.move()
        SubscriberList.receive(action, subscribers)
        retire(&action)
        kept.initialize(to: consume action)
        if !endDelivery() { deliverWaiting(subscribers) }
    }

    /// Makes an action and queues it after the current one.
    @inlinable
    @inline(never)
    func queue(_ make: (_ location: UnsafeMutablePointer<Action>, _ renews: Bool) -> Bool, _ state: inout State) {
        withUnsafeTemporaryAllocation(of: Action.self, capacity: 1) { memory in
            guard let location = memory.baseAddress, make(location, false) else { return }
            state.waiting.append(location.move())
        }
    }

    /// Whether a thread delivers; if so, it is requested to check the queue. Call it under the lock.
    @inlinable
    @inline(__always)
    func isDelivering() -> Bool {
        delivery.load(ordering: .acquiring) != DeliveryPhase.none
            && delivery.compareExchange(
                expected: DeliveryPhase.running, desired: DeliveryPhase.asked, successOrdering: .relaxed,
                failureOrdering: .acquiring
            ).original != DeliveryPhase.none
    }

    /// Ends the delivery, unless more was requested.
    @inlinable
    @inline(__always)
    func endDelivery() -> Bool {
        delivery.compareExchange(
            expected: DeliveryPhase.running, desired: DeliveryPhase.none, successOrdering: .releasing,
            failureOrdering: .relaxed
        ).exchanged
    }

    /// Delivers the actions that were queued meanwhile, and ends the delivery.
    ///
    /// Takes all waiting actions together, so that threads that queue actions rarely wait for the lock.
    @inlinable
    func deliverWaiting(_ subscribers: Unmanaged<SubscriberList<Action>>) {
        var subscribers = subscribers
        var known = -1
        var batch: [Action] = []
        var former: [SubscriberList<Action>] = []
        repeat {
            state.withLock { state in
                swap(&state.waiting, &batch)
                // Later actions request a new check.
                delivery.store(DeliveryPhase.running, ordering: .relaxed)
                // Releasing subscribers may run any code, so not under the lock.
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

    /// Calls `receive` for every action whose delivery starts after this call, until the subscription ends.
    ///
    /// If you subscribe during a delivery, you receive the actions after the current one, queued ones included.
    ///
    /// - Parameter receive: Runs on the delivering thread, one action at a time.
    /// - Returns: The token of the subscription. Cancel or release it to end the subscription.
    public func subscribe(_ receive: @escaping @Sendable (Action) -> Void) -> FluxSubscription {
        let subscriber = Subscriber(receive)
        change { subscribers in
            var subscribers = subscribers
            subscribers.append(subscriber)
            return subscribers
        }
        return FluxSubscription { [weak self] in
            subscriber.cancel()
            self?.change { subscribers in subscribers.filter { $0 !== subscriber } }
        }
    }

    private func change(_ change: ([Subscriber<Action>]) -> [Subscriber<Action>]) {
        // Releasing subscribers may run any code, so not under the lock.
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

/// Whether a thread delivers. A delivery begins, and is requested to check the queue, under the dispatcher's lock. It
/// ends without the lock, unless a check was requested.
@usableFromInline
enum DeliveryPhase {
    @inlinable static var none: UInt8 { 0 }
    @inlinable static var running: UInt8 { 1 }
    /// The delivering thread must acquire the lock before it ends.
    @inlinable static var asked: UInt8 { 2 }
}
