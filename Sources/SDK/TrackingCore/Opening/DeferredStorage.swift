internal import Primitives

/// Storage that may not be readable yet: the device was not unlocked since its start, or a file is in the way. Until it is,
/// nothing is taken from it, so no device id is made, and what is to be stored waits.
final class DeferredStorage: KeyValueStorage {
    /// The device's id until it can be read. It is never stored.
    static let unknownDeviceID = "00000000-0000-0000-0000-000000000000"

    /// What a start asks for.
    private static let keys = [
        DeviceActionCreator.key, Tracker.userKey, Tracker.optOutKey, Tracker.endedSessionKey,
    ]

    private struct State {
        /// Values that were read, so that a start never fails half-way; nil as long as that is not possible.
        var known: [String: String?]?
        /// What is to be stored.
        var changes: [String: String?] = [:]
    }

    private let behind: any KeyValueStorage
    private let state: Locked<State>

    /// - Parameter isReadLater: Whether it is not asked before ``awaitReading(_:report:)``: reading may take a moment.
    init(_ storage: any KeyValueStorage, isReadLater: Bool = false) {
        behind = storage
        state = Locked(State(known: isReadLater ? nil : try? Self.values(of: storage)))  // nil: it is tried again
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

    /// What the storage held when it could be read for the first time.
    struct Identity {
        var deviceID: String?
        var userID: String?
        var isOptedOut: Bool
    }

    /// Tries until the storage can be read.
    ///
    /// - Parameter report: Gets each error, before the wait.
    /// - Returns: nil if it could be read from the start.
    func awaitReading(
        _ timer: any Clock<Duration>, report: (_ error: any Error, _ isFirst: Bool) -> Void
    ) async -> Identity? {
        if isReadable { return nil }
        return await Retry(timer).value(read, report: report)
    }

    /// Reads who the device and the user are, and stores what waited.
    ///
    /// - Throws: What the storage throws: it can't be read yet, or written.
    private func read() throws -> Identity {
        var known = try Self.values(of: behind)
        let identity = Identity(
            deviceID: known[DeviceActionCreator.key] ?? nil, userID: known[Tracker.userKey] ?? nil,
            isOptedOut: known[Tracker.optOutKey] ?? nil != nil)
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
