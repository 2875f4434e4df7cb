internal import Dispatch
internal import EventLog
internal import Primitives

/// The identity in the storage of a tracker. One write at a time, and the newest identity last; no lock is held while the
/// storage works.
final class IdentityStore: Sendable {
    static let deviceKey = "device_id"
    static let userKey = "user_id"
    static let endedSessionKey = "ended_session"
    static let numberKey = "identity_number"
    static let unnamedKey = "unnamed_number"

    private struct State {
        /// The identity to store.
        var newest: LogIdentity?
        /// The values as last read or stored.
        var known = Stored()
        var isWriting = false
    }

    let storage: any KeyValueStorage
    /// Whether writing uses no disk, so that an effect may write on the caller's thread.
    let isImmediate: Bool
    /// Where other storages are written: not a thread of Swift's cooperative pool.
    let queue = DispatchQueue(label: "Tracking.identity", qos: .utility)
    let isNumbered: Bool
    private let state = Locked(State())

    /// - Parameter isNumbered: Whether to store the number of the identity: of the log's, and of one that may have no id.
    init(_ storage: any KeyValueStorage, isNumbered: Bool, isImmediate: Bool) {
        self.storage = storage
        self.isNumbered = isNumbered
        self.isImmediate = isImmediate
    }

    /// The stored values. The device's id is nil at the first start.
    struct Stored {
        var deviceID: String?
        var userID: String?
        var endedSession: String?
        var number: Int64 = 0
        /// The number of the person who has no id; nil if there is an id, or no person yet.
        var unnamed: Int64?
        /// Whether the file with the values was damaged.
        var isLost = false
    }

    /// - Throws: The storage's error.
    func read() throws -> Stored {
        let contents = try (storage as? any SharedKeyValueStorage)?.contents()
        var stored = try stored { key in try contents.map { $0[key] } ?? storage.string(forKey: key) }
        stored.isLost = contents?[FileKeyValueStorage.damagedFileKey] != nil
        state.withLock { $0.known = stored }
        return stored
    }

    /// Reads the stored values, and the calls of a person without an id, without creating or changing anything.
    ///
    /// - Throws: The storage's error.
    func peek() throws -> (Stored, StoredCalls) {
        let contents = try (storage as? any SharedKeyValueStorage)?.peek()
        func value(_ key: String) throws -> String? { try contents.map { $0[key] } ?? storage.string(forKey: key) }
        return try (stored(value), StoredCalls(value(StoredCalls.key)))
    }

    /// Stores a call of a person without an id for the next start.
    ///
    /// - Parameter call: nil to remove all.
    /// - Throws: The storage's error.
    func storeCall(_ call: SenderCall?) throws {
        func changed(_ text: String?) throws -> String? {
            guard let call else { return nil }
            var calls = try StoredCalls(text)
            _ = calls.add(call)
            return calls.text
        }
        guard let storage = storage as? any SharedKeyValueStorage else {
            return try storage.set(changed(storage.string(forKey: StoredCalls.key)), forKey: StoredCalls.key)
        }
        try storage.update { $0[StoredCalls.key] = try changed($0[StoredCalls.key]) }
    }

    private func stored(_ value: (String) throws -> String?) rethrows -> Stored {
        let device = try value(Self.deviceKey)
        return try Stored(
            deviceID: device == "" ? nil : device, userID: value(Self.userKey),
            endedSession: value(Self.endedSessionKey),
            number: isNumbered ? value(Self.numberKey).flatMap { Int64($0) } ?? 0 : 0,
            unnamed: value(Self.unnamedKey).flatMap { Int64($0) })
    }

    /// The damage that was found since the last call, for one report.
    func takeDamage() -> EventLogError? { (storage as? any SharedKeyValueStorage)?.takeDamage() }

    /// Whether an identity is not stored yet.
    var isPending: Bool { state.withLock { $0.newest != nil } }

    /// Sets the identity that ``write()`` stores, unless a newer one is known.
    func add(_ identity: LogIdentity) {
        state.withLock { state in
            if identity.number >= state.newest?.number ?? 0 { state.newest = identity }
        }
    }

    /// Stores the newest identity. Returns immediately if another thread is storing: that thread continues with the newest
    /// one.
    ///
    /// - Returns: The number of the identity that was stored; nil if there was nothing to store.
    /// - Throws: The storage's error. The next call tries again.
    func write() throws -> Int64? {
        var last: Int64?
        while let identity = next(after: last) {
            do { try store(identity) } catch {
                state.withLock { $0.isWriting = false }
                throw error
            }
            last = identity.number
        }
        return last
    }

    private func next(after last: Int64?) -> LogIdentity? {
        state.withLock { state in
            if last == nil, state.isWriting { return nil }
            if let last, state.newest?.number == last { state.newest = nil }
            state.isWriting = state.newest != nil
            return state.newest
        }
    }

    private func store(_ identity: LogIdentity) throws {
        guard let storage = storage as? any SharedKeyValueStorage else {
            let known = state.withLock { $0.known }
            // The former user goes first, in case that a later value can't be stored.
            if known.userID != nil, known.userID != identity.storedUserID { try storage.set(nil, forKey: Self.userKey) }
            if known.deviceID != identity.drawnDeviceID {
                try storage.set(identity.drawnDeviceID, forKey: Self.deviceKey)
            }
            if known.endedSession != identity.endedSession {
                try storage.set(identity.endedSession, forKey: Self.endedSessionKey)
            }
            if let user = identity.storedUserID, known.userID != user { try storage.set(user, forKey: Self.userKey) }
            if known.unnamed != identity.unnamedNumber {
                try storage.set(identity.unnamedNumber.map(String.init), forKey: Self.unnamedKey)
            }
            // Last: with the number of a log's identity, the other values are complete.
            if isNumbered, known.number != identity.number {
                try storage.set("\(identity.number)", forKey: Self.numberKey)
            }
            return state.withLock { state in
                state.known = Stored(
                    deviceID: identity.drawnDeviceID, userID: identity.storedUserID,
                    endedSession: identity.endedSession, number: identity.number, unnamed: identity.unnamedNumber)
            }
        }
        try storage.update { values in
            // Another process may have stored a newer one.
            if let number = values[Self.numberKey].flatMap({ Int64($0) }), number > identity.number { return }
            values[FileKeyValueStorage.damagedFileKey] = nil
            values[Self.deviceKey] = identity.drawnDeviceID
            values[Self.unnamedKey] = identity.unnamedNumber.map(String.init)
            values[Self.userKey] = identity.storedUserID
            values[Self.endedSessionKey] = identity.endedSession
            if isNumbered { values[Self.numberKey] = "\(identity.number)" }
        }
    }
}

extension LogIdentity {
    /// The user to store: none before the answer, if the person has no id.
    fileprivate var storedUserID: String? { isUnnamed ? nil : userID }
}
