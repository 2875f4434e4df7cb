public import Locking
public import Observation

/// What a store holds and whom it tells, apart from the store: a delivery may still need it when the store is gone.
@usableFromInline
final class StoreContent<State: Sendable, Action: Sendable>: Observable, Sendable {
    @usableFromInline
    struct Content {
        @usableFromInline var state: State
        var subscribers: [Subscriber<State>] = []
        var continuations: [Int: AsyncStream<State>.Continuation] = [:]
        var nextContinuation = 0
        /// Whether the state was ever read: only a reader can be an observer.
        var wasRead = false
        /// Whether a change must be told to anyone.
        @usableFromInline var isWatched = false

        @usableFromInline
        init(state: State) { self.state = state }

        mutating func updateWatch() { isWatched = wasRead || !subscribers.isEmpty || !continuations.isEmpty }
    }

    @usableFromInline let content: Locked<Content>
    @usableFromInline let reduce: @Sendable (inout State, Action) -> Void
    private let registrar = ObservationRegistrar()

    @usableFromInline
    init(_ initial: State, _ reduce: @escaping @Sendable (inout State, Action) -> Void) {
        content = Locked(Content(state: initial))
        self.reduce = reduce
    }

    /// Changes the state for an action. One thread at a time, as the dispatcher delivers.
    @inlinable
    func apply(_ action: Action) {
        let isDone = content.withLock { content in
            guard !content.isWatched else { return false }
            reduce(&content.state, action)
            return true
        }
        if !isDone { applyWatched(action) }
    }

    @usableFromInline
    func applyWatched(_ action: Action) {
        registrar.willSet(self, keyPath: \.state)
        let (state, subscribers) = content.withLock { content in
            reduce(&content.state, action)
            for continuation in content.continuations.values { continuation.yield(content.state) }
            return (content.state, content.subscribers)
        }
        registrar.didSet(self, keyPath: \.state)
        Subscriber.receive(state, subscribers)
    }

    var state: State {
        registrar.access(self, keyPath: \.state)
        return content.withLock { content in
            // An action is reduced either before this, and is in what is read, or after, and told to observers.
            content.wasRead = true
            content.isWatched = true
            return content.state
        }
    }

    func subscribe(_ receive: @escaping @Sendable (State) -> Void) -> FluxSubscription {
        let subscriber = Subscriber(receive)
        content.withLock { content in
            content.subscribers.append(subscriber)
            content.updateWatch()
        }
        return FluxSubscription { [weak self] in
            subscriber.cancel()
            self?.content.withLock { content in
                content.subscribers.removeAll { $0 === subscriber }
                content.updateWatch()
            }
        }
    }

    var values: AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        let key = content.withLock { content in
            content.nextContinuation += 1
            content.continuations[content.nextContinuation] = continuation
            content.updateWatch()
            continuation.yield(content.state)
            return content.nextContinuation
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { content in
                _ = content.continuations.removeValue(forKey: key)
                content.updateWatch()
            }
        }
        return stream
    }

    /// Ends all sequences: their store is gone.
    func finish() {
        let continuations = content.withLock { $0.continuations.values.map { $0 } }
        for continuation in continuations { continuation.finish() }
    }
}
