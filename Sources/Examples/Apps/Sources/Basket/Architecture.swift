// What this example needs of an architecture like The Composable Architecture: reducers, effects, a store, dependency values.
// An app that uses that library has all of it, under the same names.

/// Changes a state when an action happens, and says what else is to be done.
public protocol Reducer<State, Action>: Sendable {
    associatedtype State: Sendable
    associatedtype Action: Sendable

    /// Changes the state; whatever goes beyond that is done by the effect.
    func reduce(into state: inout State, action: Action) -> Effect<Action>
}

/// Work outside a reducer, which may send actions.
public struct Effect<Action: Sendable>: Sendable {
    let work: (@Sendable (_ send: @Sendable (Action) async -> Void) async -> Void)?

    /// Nothing.
    public static var none: Self { Self(work: nil) }

    /// Does work, and sends the actions that come of it.
    public static func run(
        _ work: @escaping @Sendable (_ send: @Sendable (Action) async -> Void) async -> Void
    ) -> Self { Self(work: work) }
}

/// Holds the state of a feature.
@MainActor
public final class Store<R: Reducer> {
    /// The state, for views to read.
    public private(set) var state: R.State
    private let reducer: R

    /// Makes a store with the dependencies that hold here.
    public init(_ state: R.State, reducer: () -> R) {
        self.state = state
        self.reducer = reducer()
    }

    /// Sends an action; returns when its effect, and those of the actions that it sends, are done.
    public func send(_ action: R.Action) async {
        guard let work = reducer.reduce(into: &state, action: action).work else { return }
        await work { await self.send($0) }
    }
}

/// Something that a feature asks for, and that tests replace.
public protocol DependencyKey {
    associatedtype Value: Sendable
    /// The value in the app.
    static var liveValue: Value { get }
}

/// The dependencies that hold for a feature.
public struct DependencyValues: Sendable {
    @TaskLocal static var current = DependencyValues()
    private var values: [ObjectIdentifier: any Sendable] = [:]

    public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.liveValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// A dependency, as it was where the feature was made.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    public let wrappedValue: Value

    public init(_ path: KeyPath<DependencyValues, Value>) { wrappedValue = DependencyValues.current[keyPath: path] }
}

/// Runs code with other dependencies.
@MainActor
public func withDependencies<Result>(
    _ change: (inout DependencyValues) -> Void, operation: @MainActor () async throws -> Result
) async rethrows -> Result {
    var values = DependencyValues.current
    change(&values)
    return try await DependencyValues.$current.withValue(values, operation: operation)
}
