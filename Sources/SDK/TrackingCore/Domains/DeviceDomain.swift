public import Flux

/// The device's id was loaded or made.
public struct DeviceAction: Encodable, Equatable, Sendable {
    /// The id.
    public let deviceID: String
}

/// Loads the device's id, or makes and stores one.
public struct DeviceActionCreator: ActionCreator {
    static let key = "device_id"

    public let dispatcher: FluxDispatcher<DeviceAction>
    let storage: any KeyValueStorage
    let ids: any TrackingIDs
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void

    /// Loads the id; makes one on the first start. The environment calls it when it is made.
    ///
    /// - Throws: What the storage throws if it can't be read. No id is made then.
    @discardableResult
    public func load() throws -> String {
        if let stored = try storage.string(forKey: Self.key), !stored.isEmpty {
            dispatcher.dispatch(DeviceAction(deviceID: stored))
            return stored
        }
        return renew()
    }

    /// Makes a new id, for a user who wants to be a stranger again.
    @discardableResult
    func renew() -> String {
        let made = ids.uuid()
        do { try storage.set(made, forKey: Self.key) } catch { diagnostics(.storage(error)) }
        dispatcher.dispatch(DeviceAction(deviceID: made))
        return made
    }
}

/// What the device store exposes.
public struct DeviceState: Encodable, Equatable, Sendable {
    /// Stable over restarts, made once; empty only before the environment is complete.
    public var deviceID = ""
}

/// The Device triple.
public typealias DeviceDomain = FluxDomain<DeviceActionCreator, DeviceState>
