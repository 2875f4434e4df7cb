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
