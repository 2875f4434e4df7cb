/// One triple: a domain's action creator, dispatcher and store, handed around as one value.
public struct FluxDomain<Creator: ActionCreator, State: Sendable>: Sendable {
    /// Turns requests into actions; the only part with side effects.
    public let actionCreator: Creator
    /// Holds the domain's state.
    public let store: FluxStore<State, Creator.Action>

    /// Passes the actions on, from the creator to the store and to whoever subscribes.
    @inlinable public var dispatcher: FluxDispatcher<Creator.Action> { actionCreator.dispatcher }

    /// Makes a domain whose store reduces the creator's actions.
    @inlinable
    public init(
        _ actionCreator: Creator, initial: State, reduce: @escaping @Sendable (inout State, Creator.Action) -> Void
    ) {
        self.actionCreator = actionCreator
        store = FluxStore(initial, dispatcher: actionCreator.dispatcher, reduce: reduce)
    }
}

/// The one place of a domain with side effects: it turns a request into actions for the domain's dispatcher.
///
/// Data flows one way: view model → action creator → dispatcher → store → view model. Reducers and view models
/// touch nothing outside; clocks, identifiers, storage and network are handed to the action creator where it
/// is made.
public protocol ActionCreator: Sendable {
    /// What the domain's dispatcher passes on.
    associatedtype Action: Sendable

    /// Where this creator's actions go.
    var dispatcher: FluxDispatcher<Action> { get }
}
