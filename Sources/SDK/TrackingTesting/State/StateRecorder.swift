internal import Primitives
public import TrackingCore

// Combine only: whether a module that the kit does not depend on, such as OpenCombine, can be imported would depend on
// the order of compilation.
#if canImport(Combine)
    public import Combine
#endif

/// Records all values of a store or another source, so that a test can compare them in one expectation.
///
/// ```swift
/// let states = StateRecorder(environment.route.store)
/// environment.show(.search)
/// #expect(states.values.map(\.command) == [nil, .search])
/// ```
///
/// Thread-safe. Records any source that passes its values to a closure: a publisher of Combine or OpenCombine, a signal
/// of ReactiveSwift, an observable of RxSwift.
///
/// ```swift
/// let texts = StateRecorder { viewModel.text.sink(receiveValue: $0) }
/// ```
public final class StateRecorder<Value: Sendable>: Sendable {
    private let recorded = Locked<[Value]>([])
    /// Never read: it is released with the recorder.
    private nonisolated(unsafe) let subscription: Any

    /// Makes a recorder without values: ``record(_:)`` adds them.
    public init() { subscription = () }

    /// Records the values of a subscription from now on.
    ///
    /// - Parameter subscribe: Subscribes with the given closure, which may be called on any thread. The result is kept
    ///   as long as the recorder.
    public init<Subscription>(_ subscribe: (_ record: @escaping @Sendable (Value) -> Void) -> Subscription) {
        // Captures the values, not the recorder, since the recorder keeps the subscription.
        let recorded = recorded
        subscription = subscribe { value in recorded.withLock { $0.append(value) } }
    }

    /// Records the current state of a store, and the state after each action.
    public convenience init<Action>(_ store: FluxStore<Value, Action>) {
        self.init { record in
            record(store.state)
            return store.subscribe(record)
        }
    }

    /// Adds a value.
    public func record(_ value: Value) { recorded.withLock { $0.append(value) } }

    /// The values from the first to the current one.
    public var values: [Value] { recorded.withLock { $0 } }
}

extension AsyncSequence {
    /// Collects the elements up to and including the first one for which a condition is true, or up to the end.
    ///
    /// ```swift
    /// let states = try await store.values.recorded { !$0.isFetching }
    /// ```
    ///
    /// - Throws: The sequence's error; `CancellationError` if the task is canceled first.
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

#if canImport(Combine)
    extension Publisher where Output: Sendable, Failure == Never {
        /// Records all values that the publisher sends from now on, its current value included.
        ///
        /// ```swift
        /// let texts = viewModel.text.recorded()
        /// viewModel.searchTapped()
        /// #expect(texts.values == ["Search", "Results"])
        /// ```
        ///
        /// For OpenCombine, use ``StateRecorder``: `StateRecorder { viewModel.text.sink(receiveValue: $0) }`.
        public func recorded() -> StateRecorder<Output> { StateRecorder { sink(receiveValue: $0) } }
    }
#endif
