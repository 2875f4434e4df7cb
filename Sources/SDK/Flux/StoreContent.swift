public import Observation
public import Primitives

/// The state of a store and its listeners, separate from the store: a delivery may still need them when the store is
/// gone.
@usableFromInline
final class StoreContent<State: Sendable, Action: Sendable>: Observable, Sendable {
    @usableFromInline
    struct Content {
        @usableFromInline var state: State
        @usableFromInline var subscribers: [Subscriber<State>] = []
        var continuations: [Int: AsyncStream<State>.Continuation] = [:]
        var nextContinuation = 0
        /// Whether the state was ever read: only readers can be observers.
        @usableFromInline var wasRead = false
        /// Whether there is a subscriber or a sequence.
        @usableFromInline var hasListeners = false

        @usableFromInline
        init(state: State) { self.state = state }

        mutating func updateListeners() { hasListeners = !subscribers.isEmpty || !continuations.isEmpty }

        /// Changes the state. Returns it if there are subscribers.
        @inlinable
        @inline(__always)
        mutating func apply(
            _ action: Action, _ reduce: (inout State, Action) -> Void
        ) -> (State, [Subscriber<State>])? {
            reduce(&state, action)
            guard hasListeners else { return nil }
            feedSequences()
            return (state, subscribers)
        }

        @usableFromInline
        func feedSequences() {
            for continuation in continuations.values { continuation.yield(state) }
        }
    }

    @usableFromInline let content: Locked<Content>
    @usableFromInline let reduce: @Sendable (inout State, Action) -> Void
    private let registrar = ObservationRegistrar()
    /// Stored, because creating the key path of a generic type takes microseconds each time.
    private let path: any KeyPath<StoreContent, State> & Sendable = \StoreContent.state

    @usableFromInline
    init(_ initial: State, _ reduce: @escaping @Sendable (inout State, Action) -> Void) {
        content = Locked(Content(state: initial))
        self.reduce = reduce
    }

    /// Changes the state for an action. The dispatcher calls it on one thread at a time.
    @inlinable
    func apply(_ action: Action) {
        let isDone = content.withLock { content in
            guard !content.wasRead, !content.hasListeners else { return false }
            reduce(&content.state, action)
            return true
        }
        if !isDone { applyAndTell(action) }
    }

    /// Like ``apply(_:)``, for a store that may have listeners. A separate function, because passing a state around
    /// costs more than the change itself, even without listeners.
    @inlinable
    @inline(never)
    func applyAndTell(_ action: Action) {
        var told: (State, [Subscriber<State>])?
        let isDone = content.withLock { content in
            guard !content.wasRead else { return false }
            told = content.apply(action, reduce)
            return true
        }
        if !isDone {
            willChange()
            told = content.withLock { content in content.apply(action, reduce) }
            didChange()
        }
        if let (state, subscribers) = told { Subscriber.receive(state, subscribers) }
    }

    @usableFromInline
    func willChange() { registrar.willSet(self, keyPath: path) }

    @usableFromInline
    func didChange() { registrar.didSet(self, keyPath: path) }

    var state: State {
        registrar.access(self, keyPath: path)
        return content.withLock { content in
            // An action is reduced either before this, and is part of the value, or after, and is reported to
            // observers.
            content.wasRead = true
            return content.state
        }
    }

    func subscribe(_ receive: @escaping @Sendable (State) -> Void) -> FluxSubscription {
        let subscriber = Subscriber(receive)
        content.withLock { content in
            content.subscribers.append(subscriber)
            content.updateListeners()
        }
        return FluxSubscription { [weak self] in
            subscriber.cancel()
            self?.content.withLock { content in
                content.subscribers.removeAll { $0 === subscriber }
                content.updateListeners()
            }
        }
    }

    var values: AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        let key = content.withLock { content in
            content.nextContinuation += 1
            content.continuations[content.nextContinuation] = continuation
            content.updateListeners()
            continuation.yield(content.state)
            return content.nextContinuation
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { content in
                _ = content.continuations.removeValue(forKey: key)
                content.updateListeners()
            }
        }
        return stream
    }

    /// Ends all sequences because the store was released.
    func finish() {
        let continuations = content.withLock { $0.continuations.values.map { $0 } }
        for continuation in continuations { continuation.finish() }
    }
}
