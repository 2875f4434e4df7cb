internal import JSONLines
public import TrackingCore

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

/// The state of a store at the end of a replay.
public struct ReplayedStore: Equatable, Sendable {
    /// The domain's name.
    public let name: String
    /// The state as one line of JSON; nil if it cannot be encoded.
    public let json: [UInt8]?

    /// Makes one of a store's state.
    public init(_ name: String, _ state: some Encodable) {
        self.name = name
        json = try? JSONLineEncoder.encode(state)  // lost: why; what is shown says that there is none
    }
}

/// The stores of one environment at the end of a replay.
public struct ReplayedStores: Equatable, Sendable {
    /// The environment's number within the recording, from 1.
    public let environment: Int
    /// Its user; nil if the replay ended before one was known.
    public let user: String?
    /// Route, Tracking, Device, then the app's own.
    public let stores: [ReplayedStore]
}
