public import Flux

/// The device's id was loaded or created.
public struct DeviceAction: Encodable, Equatable, Sendable {
    /// The id.
    public let deviceID: String
}

/// Dispatches the device's id when the identity has been read, and when it changes.
public struct DeviceActionCreator: ActionCreator {
    public let dispatcher: FluxDispatcher<DeviceAction>
}

/// The state that the device store publishes.
public struct DeviceState: Encodable, Equatable, Sendable {
    /// Stable across restarts, until a reset. Empty before the identity has been read.
    public var deviceID = ""
}

/// The Device triple.
public typealias DeviceDomain = FluxDomain<DeviceActionCreator, DeviceState>
