internal import Primitives

// tracking:double
/// A few strings that survive a restart: device id, identified user, and a denial that is stored before there is a log.
///
/// Separate from the event log, so that a damaged log does not lose the identity. Consent is in the log.
public protocol KeyValueStorage: Sendable {
    /// The stored value, or nil if there is none. May be called from any thread.
    ///
    /// - Throws: An error if the value can't be read; a ``DeviceLockedError`` if it can be read once the device is
    ///   unlocked. Don't return nil in these cases: the user would get a new device id, without an answer.
    func string(forKey key: String) throws -> String?

    /// Stores a value, or removes it for nil. Returns once the change is stored.
    ///
    /// - Throws: The error that prevented storing. The SDK then continues with the value in memory and reports the
    ///   error.
    func set(_ value: String?, forKey key: String) throws
}

/// Storage that uses no disk when a value is set, so that it may be set on any thread.
package protocol ImmediateStorage: KeyValueStorage {}

/// Storage in memory, for tests and for users who exist during one run only.
public final class InMemoryKeyValueStorage: ImmediateStorage {
    private let values: Locked<[String: String]>

    /// Makes storage with initial `values`.
    public init(_ values: [String: String] = [:]) { self.values = Locked(values) }

    public func string(forKey key: String) -> String? { values.withLock { $0[key] } }

    public func set(_ value: String?, forKey key: String) { values.withLock { $0[key] = value } }
}
