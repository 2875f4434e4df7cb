#if canImport(Darwin) || APPLE_STUBS
    public import Foundation

    /// Storage in `UserDefaults`, under keys with the prefix `tracking.`.
    ///
    /// After a restart, defaults read as empty until the user unlocks the device, without an error. Therefore open the
    /// log first, with the default ``/EventLog/FileProtection/untilFirstUnlock``: it can't be opened before the device is
    /// unlocked, either.
    public struct UserDefaultsStorage: KeyValueStorage, @unchecked Sendable {  // UserDefaults is documented thread-safe
        private let defaults: UserDefaults

        /// Makes storage in the given defaults, such as the suite of an app group.
        public init(_ defaults: UserDefaults) { self.defaults = defaults }

        public func string(forKey key: String) -> String? { defaults.string(forKey: "tracking." + key) }

        public func set(_ value: String?, forKey key: String) { defaults.set(value, forKey: "tracking." + key) }
    }
#endif
