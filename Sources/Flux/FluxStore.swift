internal import Locking
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
    private struct Content {
        var state: State
        var subscribers: [Subscriber<State>] = []
        var continuations: [Int: AsyncStream<State>.Continuation] = [:]
        var nextContinuation = 0
    }

    private let content: Locked<Content>
    private let registrar = ObservationRegistrar()
    private let source: Locked<FluxSubscription?> = Locked(nil)

    /// Makes a store that reduces each action of `dispatcher` from now on.
    ///
    /// - Parameters:
    ///   - initial: The state before the first action.
    ///   - dispatcher: Where actions come from. The store keeps its subscription as long as it lives.
    ///   - reduce: Changes the state for an action. It must be pure: it runs under the store's lock.
    public init(
        _ initial: State,
        dispatcher: FluxDispatcher<Action>,
        reduce: @escaping @Sendable (inout State, Action) -> Void
    ) {
        content = Locked(Content(state: initial))
        let subscription = dispatcher.subscribe { [weak self] action in self?.apply(action, reduce) }
        source.withLock { $0 = subscription }
    }

    deinit {
        content.withLock { content in
            for continuation in content.continuations.values { continuation.finish() }
        }
    }

    /// The state after the last action that was delivered to this store.
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return content.withLock { $0.state }
    }

    /// Calls `receive` with the state after each action from now on, until the subscription ends.
    ///
    /// - Parameter receive: Runs on the thread that delivers the action, after the state has changed.
    public func subscribe(_ receive: @escaping @Sendable (State) -> Void) -> FluxSubscription {
        let subscriber = Subscriber(receive)
        content.withLock { $0.subscribers.append(subscriber) }
        return FluxSubscription { [weak self] in
            subscriber.cancel()
            self?.content.withLock { content in content.subscribers.removeAll { $0 === subscriber } }
        }
    }

    /// The current state, then the state after each action. Ends when the store goes away.
    ///
    /// Each call makes a sequence of its own. States that its reader has not taken yet are kept, without a
    /// limit: read it to the end or cancel the task that does.
    public var values: AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        let key = content.withLock { content in
            content.nextContinuation += 1
            content.continuations[content.nextContinuation] = continuation
            continuation.yield(content.state)
            return content.nextContinuation
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { _ = $0.continuations.removeValue(forKey: key) }
        }
        return stream
    }

    private func apply(_ action: Action, _ reduce: (inout State, Action) -> Void) {
        registrar.willSet(self, keyPath: \.state)
        let (state, subscribers) = content.withLock { content in
            reduce(&content.state, action)
            for continuation in content.continuations.values { continuation.yield(content.state) }
            return (content.state, content.subscribers)
        }
        registrar.didSet(self, keyPath: \.state)
        for subscriber in subscribers { subscriber.receive(state) }
    }
}
