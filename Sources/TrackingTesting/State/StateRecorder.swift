internal import Locking
public import Tracking

/// Records all values that something went through, so that a test compares them at once.
///
/// ```swift
/// let states = StateRecorder(environment.route.store)
/// environment.show(.search)
/// #expect(states.values.map(\.command) == [nil, .search])
/// ```
///
/// Any thread. What a publisher of Combine or OpenCombine sends is recorded by its own `sink`:
///
/// ```swift
/// let texts = StateRecorder<String>()
/// let subscription = viewModel.text.sink(receiveValue: texts.record)
/// ```
public final class StateRecorder<Value: Sendable>: Sendable {
    private let recorded = Locked<[Value]>([])
    private let source = Locked<FluxSubscription?>(nil)

    /// Makes a recorder without values: ``record(_:)`` adds them.
    public init() {}

    /// Records the state of a store now, and after each action.
    public convenience init<Action>(_ store: FluxStore<Value, Action>) {
        self.init()
        record(store.state)
        let subscription = store.subscribe { [weak self] in self?.record($0) }
        source.withLock { $0 = subscription }
    }

    /// Adds a value.
    public func record(_ value: Value) { recorded.withLock { $0.append(value) } }

    /// The values from the first to the one that holds now.
    public var values: [Value] { recorded.withLock { $0 } }
}
