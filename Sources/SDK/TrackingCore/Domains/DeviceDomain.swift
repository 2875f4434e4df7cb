public import Flux

/// The device's id was loaded or created.
public struct DeviceAction: Encodable, Equatable, Sendable {
    /// The id.
    public let deviceID: String
}

/// Loads the device's id, or creates and stores one.
public struct DeviceActionCreator: ActionCreator {
    static let key = "device_id"

    public let dispatcher: FluxDispatcher<DeviceAction>
    let storage: any KeyValueStorage
    let ids: any TrackingIDs
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void

    /// Loads the id, or creates one at the first start. The environment calls this when it is created.
    ///
    /// - Throws: The storage's error if the storage can't be read. No id is created in this case.
    @discardableResult
    public func load() throws -> String {
        if let stored = try storage.string(forKey: Self.key), !stored.isEmpty {
            dispatcher.dispatch(DeviceAction(deviceID: stored))
            return stored
        }
        return renew()
    }

    /// Creates a new id, for a user who wants to be forgotten.
    @discardableResult
    func renew() -> String {
        let made = ids.uuid()
        do { try storage.set(made, forKey: Self.key) } catch { diagnostics(.storage(error)) }
        dispatcher.dispatch(DeviceAction(deviceID: made))
        return made
    }
}

/// The state that the device store publishes.
public struct DeviceState: Encodable, Equatable, Sendable {
    /// Stable across restarts and created once. Empty only before the environment is complete.
    public var deviceID = ""
}

/// The Device triple.
public typealias DeviceDomain = FluxDomain<DeviceActionCreator, DeviceState>
