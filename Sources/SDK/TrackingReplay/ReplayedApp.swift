public import Tracking

/// An app without its screens, as a replay drives it.
///
/// The app takes each of its inputs with `environment.input(_:perform:)` in one place. ``perform(_:)`` is that place: in a
/// session and in a replay the same code runs.
public protocol ReplayedApp: Sendable {
    /// Where the app can go.
    associatedtype Route: RouteCommand & Encodable
    /// What comes to it.
    associatedtype Input: Decodable

    /// Takes an input and records it: all that it causes has happened when this returns.
    func perform(_ input: Input)

    /// The states of the app's own stores, beside those of Route, Tracking and Device. Reads them, and nothing else.
    var stores: [ReplayedStore] { get }
}
