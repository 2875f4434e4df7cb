// The parts of an architecture like The Composable Architecture that this example needs: reducers, effects, a store,
// dependency values. An app that uses that library has all of them, under the same names.

/// Changes a state in response to an action, and returns an effect.
public protocol Reducer<State, Action>: Sendable {
    associatedtype State: Sendable
    associatedtype Action: Sendable

    /// Changes the state. The effect does everything else.
    func reduce(into state: inout State, action: Action) -> Effect<Action>
}

/// Work outside a reducer, which may send actions.
public struct Effect<Action: Sendable>: Sendable {
    let work: (@Sendable (_ send: @Sendable (Action) async -> Void) async -> Void)?

    /// No work.
    public static var none: Self { Self(work: nil) }

    /// Runs work, which may send actions.
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

    /// Creates a store with the current dependencies.
    public init(_ state: R.State, reducer: () -> R) {
        self.state = state
        self.reducer = reducer()
    }

    /// Sends an action. Returns when its effect, and the effects of the actions that it sends, are finished.
    public func send(_ action: R.Action) async {
        guard let work = reducer.reduce(into: &state, action: action).work else { return }
        await work { await self.send($0) }
    }
}

/// A dependency of a feature that tests can replace.
public protocol DependencyKey {
    associatedtype Value: Sendable
    /// The value in the app.
    static var liveValue: Value { get }
}

/// The dependencies of a feature.
public struct DependencyValues: Sendable {
    @TaskLocal static var current = DependencyValues()
    private var values: [ObjectIdentifier: any Sendable] = [:]

    public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.liveValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// A dependency, with its value at the creation of the feature.
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
