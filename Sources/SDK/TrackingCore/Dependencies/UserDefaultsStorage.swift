#if canImport(Darwin) || APPLE_STUBS
    public import Foundation

    /// Storage in `UserDefaults`, under keys with the prefix `tracking.`.
    ///
    /// Until a device is unlocked for the first time after its start, defaults are empty without saying so. Open the log
    /// first, with the default ``FileProtection/untilFirstUnlock``: it can't be opened before that, either.
    public struct UserDefaultsStorage: KeyValueStorage, @unchecked Sendable {  // UserDefaults is documented thread-safe
        private let defaults: UserDefaults

        /// Makes storage in the given defaults: an app group's suite, for instance.
        public init(_ defaults: UserDefaults) { self.defaults = defaults }

        public func string(forKey key: String) -> String? { defaults.string(forKey: "tracking." + key) }

        public func set(_ value: String?, forKey key: String) { defaults.set(value, forKey: "tracking." + key) }
    }
#endif
