internal import Primitives

// tracking:double
/// A few strings that survive a restart: device id, identified user, opt-out.
///
/// Kept apart from the event log, so that a damaged log costs neither identity nor opt-out.
public protocol KeyValueStorage: Sendable {
    /// The stored value, or nil if there is none. May be called from any thread.
    ///
    /// - Throws: If the value can't be read: a ``DeviceLockedError`` if it can once the device is unlocked. Never nil then: a
    ///   user who has opted out would be opted in, and get a new device id.
    func string(forKey key: String) throws -> String?

    /// Stores a value, or removes it for nil. Returns when it is stored.
    ///
    /// - Throws: Whatever keeps it from being stored. The SDK goes on with the value in memory and reports it.
    func set(_ value: String?, forKey key: String) throws
}

/// Storage that is gone with the process, for tests and for users who live in one run.
public final class InMemoryKeyValueStorage: KeyValueStorage {
    private let values: Locked<[String: String]>

    /// Makes storage that holds `values`.
    public init(_ values: [String: String] = [:]) { self.values = Locked(values) }

    public func string(forKey key: String) -> String? { values.withLock { $0[key] } }

    public func set(_ value: String?, forKey key: String) { values.withLock { $0[key] = value } }
}
