public import Flux

/// A destination in the app. Declare your own type, usually an enum:
///
/// ```swift
/// enum AppRoute: RouteCommand { case search, detail(id: Int) }
/// ```
///
/// Make it `Encodable` to record it, see ``ActionRecorder``.
public protocol RouteCommand: Equatable, Sendable {}

/// Dispatches route commands. The root view model turns each command into a set, push or pop-to-root operation.
public struct RouteActionCreator<Command: RouteCommand>: ActionCreator {
    public let dispatcher: FluxDispatcher<Command>

    init(dispatcher: FluxDispatcher<Command>) { self.dispatcher = dispatcher }

    /// Navigates to a destination. Call it on any thread.
    public func show(_ command: Command) { dispatcher.dispatch(command) }
}

/// The state that the route store publishes.
public struct RouteState<Command: RouteCommand>: Equatable, Sendable {
    /// The most recent command; nil before the first.
    public var command: Command?
}

extension RouteState: Encodable where Command: Encodable {}

/// The Route triple of an app.
public typealias RouteDomain<Command: RouteCommand> = FluxDomain<RouteActionCreator<Command>, RouteState<Command>>
