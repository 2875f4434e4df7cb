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
