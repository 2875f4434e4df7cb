public import Observation

/// Holds the state of a domain; a dispatcher's actions are the only thing that changes it.
///
/// ```swift
/// let store = FluxStore(RouteState(), dispatcher: dispatcher) { state, action in state.command = action.command }
/// store.state                                  // the current value, from any thread
/// for await state in store.values { … }        // now and after each action
/// withObservationTracking { store.state } …    // or simply read in a SwiftUI body
/// ```
///
/// **Threads.** Reading and subscribing are safe from any thread. Actions are reduced on the delivering
/// thread, in the dispatcher's order. Observation's willSet/didSet come from that thread too.
public final class FluxStore<State: Sendable, Action: Sendable>: Observable, Sendable {
    @usableFromInline let content: StoreContent<State, Action>
    private let source: FluxSubscription

    /// Makes a store that reduces each action of `dispatcher` from now on.
    ///
    /// - Parameters:
    ///   - initial: The state before the first action.
    ///   - dispatcher: Where actions come from. The store keeps its subscription as long as it lives.
    ///   - reduce: Changes the state for an action. It must be pure: it runs under the store's lock.
    @inlinable
    public convenience init(
        _ initial: State,
        dispatcher: FluxDispatcher<Action>,
        reduce: @escaping @Sendable (inout State, Action) -> Void
    ) {
        let content = StoreContent(initial, reduce)
        // What is subscribed is not the store: it ends with its owners, without a weak reference for each action.
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

    /// Calls `receive` with the state after each action from now on, until the subscription ends.
    ///
    /// - Parameter receive: Runs on the thread that delivers the action, after the state has changed.
    public func subscribe(_ receive: @escaping @Sendable (State) -> Void) -> FluxSubscription {
        content.subscribe(receive)
    }

    /// The current state, then the state after each action. Ends when the store goes away.
    ///
    /// Each call makes a sequence of its own. States that its reader has not taken yet are kept, without a
    /// limit: read it to the end or cancel the task that does.
    public var values: AsyncStream<State> { content.values }
}
