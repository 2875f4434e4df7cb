internal import JSONLines
public import TrackingCore

/// An app without its screens, driven by a replay.
///
/// Process all inputs in one method, ``perform(_:)``, with `environment.input(_:perform:)`: the same code then runs in
/// sessions and in replays.
public protocol ReplayedApp: Sendable {
    /// The app's route commands.
    associatedtype Route: RouteCommand & Encodable
    /// The app's inputs.
    associatedtype Input: Decodable

    /// Processes an input and records it. All its effects must have happened when this method returns.
    func perform(_ input: Input)

    /// The states of the app's own stores, in addition to Route, Tracking and Device. The getter must only read them.
    var stores: [ReplayedStore] { get }
}

/// The state of a store at the end of a replay.
public struct ReplayedStore: Equatable, Sendable {
    /// The domain's name.
    public let name: String
    /// The state as one line of JSON; nil if it cannot be encoded.
    public let json: [UInt8]?

    /// Makes the JSON of a store's state.
    public init(_ name: String, _ state: some Encodable) {
        self.name = name
        json = try? JSONLineEncoder.encode(state)  // the output shows that there is none, without the reason
    }
}

/// The stores of one environment at the end of a replay.
public struct ReplayedStores: Equatable, Sendable {
    /// The environment's number within the recording, from 1.
    public let environment: Int
    /// The environment's user; nil if the replay ended before the user was known.
    public let user: String?
    /// The states of Route, Tracking and Device, then of the app's own stores.
    public let stores: [ReplayedStore]
}
