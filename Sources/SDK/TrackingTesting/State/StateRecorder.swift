internal import Primitives
public import TrackingCore

/// Records all values that something went through, so that a test compares them at once.
///
/// ```swift
/// let states = StateRecorder(environment.route.store)
/// environment.show(.search)
/// #expect(states.values.map(\.command) == [nil, .search])
/// ```
///
/// Any thread. Whatever hands its values to a closure is recorded, too: a publisher of Combine or OpenCombine, a signal of
/// ReactiveSwift, an observable of RxSwift.
///
/// ```swift
/// let texts = StateRecorder { viewModel.text.sink(receiveValue: $0) }
/// ```
public final class StateRecorder<Value: Sendable>: Sendable {
    private let recorded = Locked<[Value]>([])
    /// Nobody reads it: it is let go with the recorder.
    private nonisolated(unsafe) let subscription: Any

    /// Makes a recorder without values: ``record(_:)`` adds them.
    public init() { subscription = () }

    /// Records what a subscription hands over, from now on.
    ///
    /// - Parameter subscribe: Subscribes with the closure that it gets, which may be called from any thread. What it returns
    ///   is kept as long as the recorder.
    public init<Subscription>(_ subscribe: (_ record: @escaping @Sendable (Value) -> Void) -> Subscription) {
        // Not the recorder: what it keeps must not keep it.
        let recorded = recorded
        subscription = subscribe { value in recorded.withLock { $0.append(value) } }
    }

    /// Records the state of a store now, and after each action.
    public convenience init<Action>(_ store: FluxStore<Value, Action>) {
        self.init { record in
            record(store.state)
            return store.subscribe(record)
        }
    }

    /// Adds a value.
    public func record(_ value: Value) { recorded.withLock { $0.append(value) } }

    /// The values from the first to the one that holds now.
    public var values: [Value] { recorded.withLock { $0 } }
}

extension AsyncSequence {
    /// The elements up to the one that makes a condition true, that one included, or up to the end.
    ///
    /// ```swift
    /// let states = try await store.values.recorded { !$0.isFetching }
    /// ```
    ///
    /// - Throws: What the sequence throws; `CancellationError` if the task is cancelled before.
    public func recorded(until isLast: (Element) throws -> Bool) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self {
            elements.append(element)
            if try isLast(element) { return elements }
        }
        try Task.checkCancellation()
        return elements
    }
}
