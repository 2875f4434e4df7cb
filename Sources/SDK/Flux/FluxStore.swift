public import Observation

/// Holds the state of a domain. Only a dispatcher's actions change it.
///
/// ```swift
/// let store = FluxStore(RouteState(), dispatcher: dispatcher) { state, action in state.command = action.command }
/// store.state                                  // the current value, from any thread
/// for await state in store.values { … }        // now and after each action
/// withObservationTracking { store.state } …    // or read it in a SwiftUI body
/// ```
///
/// **Threads.** Read and subscribe on any thread. Actions are reduced on the delivering thread, in the dispatcher's
/// order. Observation's willSet and didSet are called on that thread, too.
public final class FluxStore<State: Sendable, Action: Sendable>: Observable, Sendable {
    @usableFromInline let content: StoreContent<State, Action>
    private let source: FluxSubscription

    /// Makes a store that reduces each later action of `dispatcher`.
    ///
    /// - Parameters:
    ///   - initial: The state before the first action.
    ///   - dispatcher: The source of actions. The store keeps the subscription alive.
    ///   - reduce: Changes the state for an action. It must be pure: it runs under the store's lock.
    @inlinable
    public convenience init(
        _ initial: State,
        dispatcher: FluxDispatcher<Action>,
        reduce: @escaping @Sendable (inout State, Action) -> Void
    ) {
        let content = StoreContent(initial, reduce)
        // Subscribes the content instead of the store, which avoids a weak reference per action.
        self.init(content, source: dispatcher.subscribe { action in content.apply(action) })
    }

    @usableFromInline
    init(_ content: StoreContent<State, Action>, source: FluxSubscription) {
        self.content = content
        self.source = source
    }

    deinit {
        source.cancel()
        content.finish()
    }

    /// The state after the last action that was delivered to this store.
    public var state: State { content.state }

    /// Calls `receive` with the state after each later action, until the subscription ends.
    ///
    /// - Parameter receive: Runs on the thread that delivers the action, after the state has changed.
    public func subscribe(_ receive: @escaping @Sendable (State) -> Void) -> FluxSubscription {
        content.subscribe(receive)
    }

    /// The current state, then the state after each action. Ends when the store is released.
    ///
    /// Each call makes a new sequence. Unread states are buffered without a limit: read the sequence to its end, or
    /// cancel the task that reads it.
    public var values: AsyncStream<State> { content.values }
}
