internal import Primitives

/// Storage that may be temporarily unreadable, because the device has not been unlocked since its restart, or because
/// of a file in its path. Until the storage can be read, no device id is created, and changes wait in memory.
final class DeferredStorage: KeyValueStorage {
    /// The device's id until the stored one can be read. It is never stored.
    static let unknownDeviceID = "00000000-0000-0000-0000-000000000000"

    /// The keys that a start reads.
    private static let keys = [DeviceActionCreator.key, Tracker.userKey, Tracker.endedSessionKey]

    private struct State {
        /// The values that were read, so that a start never fails halfway; nil until they could be read.
        var known: [String: String?]?
        /// The changes to store.
        var changes: [String: String?] = [:]
    }

    private let behind: any KeyValueStorage
    private let state: Locked<State>

    /// - Parameter isReadLater: Whether to defer reading to ``awaitReading(_:report:)``, since it may take a moment.
    init(_ storage: any KeyValueStorage, isReadLater: Bool = false) {
        behind = storage
        state = Locked(State(known: isReadLater ? nil : try? Self.values(of: storage)))  // nil: retried later
    }

    private static func values(of storage: any KeyValueStorage) throws -> [String: String?] {
        try Dictionary(uniqueKeysWithValues: keys.map { ($0, try storage.string(forKey: $0)) })
    }

    var isReadable: Bool { state.withLock { $0.known != nil } }

    func string(forKey key: String) throws -> String? {
        let value: String?? = state.withLock { state in
            if let change = state.changes[key] { return .some(change) }
            guard let known = state.known else {
                return .some(key == DeviceActionCreator.key ? Self.unknownDeviceID : nil)
            }
            return known[key]
        }
        if let value { return value }
        return try behind.string(forKey: key)
    }

    func set(_ value: String?, forKey key: String) throws {
        try state.withLock { state in
            guard state.known != nil else {
                state.changes[key] = .some(value)
                return
            }
            try behind.set(value, forKey: key)
            if Self.keys.contains(key) { state.known?[key] = .some(value) }
        }
    }

    /// The stored values at the time when the storage could be read.
    struct Identity {
        var deviceID: String?
        var userID: String?
    }

    /// Retries until the storage can be read.
    ///
    /// - Parameter report: Called with each error, before the wait.
    /// - Returns: nil if the storage could be read from the start.
    func awaitReading(
        _ timer: any Clock<Duration>, report: (_ error: any Error, _ isFirst: Bool) -> Void
    ) async -> Identity? {
        if isReadable { return nil }
        return await Retry(timer).value(read, report: report)
    }

    /// Reads the device and the user, and stores the waiting changes.
    ///
    /// - Throws: The storage's error if the storage can't be read or written yet.
    private func read() throws -> Identity {
        var known = try Self.values(of: behind)
        let identity = Identity(
            deviceID: known[DeviceActionCreator.key] ?? nil, userID: known[Tracker.userKey] ?? nil)
        try state.withLock { state in
            for (key, value) in state.changes {
                try behind.set(value, forKey: key)
                known[key] = .some(value)
            }
            state = State(known: known)
        }
        return identity
    }
}
