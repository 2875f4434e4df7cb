internal import JSONLines

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
