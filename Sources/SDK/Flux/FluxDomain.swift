/// A triple: a domain's action creator, dispatcher and store in one value.
public struct FluxDomain<Creator: ActionCreator, State: Sendable>: Sendable {
    /// Turns requests into actions; the only part with side effects.
    public let actionCreator: Creator
    /// Holds the domain's state.
    public let store: FluxStore<State, Creator.Action>

    /// Passes the actions from the creator to the store and to other subscribers.
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

/// The only part of a domain with side effects: turns requests into actions for the domain's dispatcher.
///
/// Data flows in one direction: view model → action creator → dispatcher → store → view model. Reducers and view models
/// have no external dependencies. Pass clocks, identifiers, storage and network to the initializer of the action
/// creator.
public protocol ActionCreator: Sendable {
    /// The actions of the domain's dispatcher.
    associatedtype Action: Sendable

    /// The dispatcher of this creator's actions.
    var dispatcher: FluxDispatcher<Action> { get }
}
