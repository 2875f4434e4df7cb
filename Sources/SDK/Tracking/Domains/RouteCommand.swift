/// Where an app can go. An app declares its own, usually as an enum:
///
/// ```swift
/// enum AppRoute: RouteCommand { case search, detail(id: Int) }
/// ```
///
/// One that is `Encodable` too can be recorded, see ``ActionRecorder``.
public protocol RouteCommand: Equatable, Sendable {}
