public import Flux

/// Where an app can go. An app declares its own, usually as an enum:
///
/// ```swift
/// enum AppRoute: RouteCommand { case search, detail(id: Int) }
/// ```
///
/// One that is `Encodable` too can be recorded, see ``ActionRecorder``.
public protocol RouteCommand: Equatable, Sendable {}

/// Passes route commands on. The root view model turns them into set, push and pop to root.
public struct RouteActionCreator<Command: RouteCommand>: ActionCreator {
    public let dispatcher: FluxDispatcher<Command>

    init(dispatcher: FluxDispatcher<Command>) { self.dispatcher = dispatcher }

    /// Goes somewhere. Any thread.
    public func show(_ command: Command) { dispatcher.dispatch(command) }
}

/// What the route store exposes.
public struct RouteState<Command: RouteCommand>: Equatable, Sendable {
    /// The command that was given last; nil before the first.
    public var command: Command?
}

extension RouteState: Encodable where Command: Encodable {}

/// The Route triple of an app.
public typealias RouteDomain<Command: RouteCommand> = FluxDomain<RouteActionCreator<Command>, RouteState<Command>>
