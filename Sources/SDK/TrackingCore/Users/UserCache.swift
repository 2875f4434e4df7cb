internal import EventLog
internal import EventModel
internal import Primitives

/// The sessions and the consents of the users who have sent an event recently, at most a number of them. A user who has
/// left it starts a new session.
///
/// An event that needs room replaces a user who has sent none since the cache last searched for one to replace. Contexts are made and replaced under the dispatcher's lock only, so that one that was looked up stays alive
/// until the next event is appended. The lock here is for ``consents(of:)``, and held for a few dozen instructions.
final class UserCache: Sendable {
    private struct Entry {
        var hash: Int
        /// The next entry with the same bucket; -1 for none.
        var next: Int32
        /// Whether the user has sent an event since the cache last inspected the entry.
        var wasUsed: Bool
        var consents: UserConsents
        /// The time of the last event, and when the session has its maximum length.
        var last: EventTime
        var expiry: EventTime
        var context: EnvelopeContext
    }

    private struct State {
        var entries: UnsafeMutablePointer<Entry>?
        /// The first entry of each bucket; -1 for none. As many as entries.
        var buckets: UnsafeMutablePointer<Int32>?
        var capacity = 0
        var count = 0
        /// The entry to inspect next.
        var candidate = 0
    }

    private let maximumCount: Int
    private let state = Locked(State())

    /// - Parameter maximumCount: The most users, at least 1.
    init(maximumCount: Int) { self.maximumCount = min(max(maximumCount, 1), Int(Int32.max) / 2) }

    deinit {
        state.withLock { state in
            state.entries?.deinitialize(count: state.count)
            state.entries?.deallocate()
            state.buckets?.deallocate()
        }
    }

    /// The known consents of a user.
    @inline(__always)
    func consents(of user: User) -> UserConsents {
        state.withLock { state in Self.find(user, state)?.pointee.consents ?? UserConsents() }
    }

    /// The envelope context of a user's event. Call it under the dispatcher's lock.
    @inline(__always)
    func envelopeContext(
        of user: User, at time: EventTime, _ install: InstallEnvelope, _ consents: UserConsents, _ ids: any TrackingIDs
    ) -> Unmanaged<EnvelopeContext.Buffer> {
        state.withLock { state in
            guard let entry = Self.find(user, state) else {
                return add(user, at: time, install, consents, ids, &state)
            }
            entry.pointee.consents = consents
            entry.pointee.wasUsed = true
            let isHeld = SessionRule.holds(at: time, after: entry.pointee.last, until: entry.pointee.expiry)
            if isHeld, entry.pointee.context.isOf(install) {
                entry.pointee.last = max(entry.pointee.last, time)
            } else {
                Self.renew(entry, user, at: time, install, keepsSession: isHeld, ids)
            }
            return Unmanaged.passUnretained(entry.pointee.context.buffer)
        }
    }

    @inline(never)
    private static func renew(
        _ entry: UnsafeMutablePointer<Entry>, _ user: User, at time: EventTime, _ install: InstallEnvelope,
        keepsSession: Bool, _ ids: any TrackingIDs
    ) {
        let sessionID = keepsSession ? entry.pointee.context.sessionID : ids.uuid()
        entry.pointee.context = EnvelopeContext(install, sessionID: sessionID, userID: user.id)
        if !keepsSession { entry.pointee.expiry = SessionRule.expiry(ofSessionStartedAt: time) }
        entry.pointee.last = keepsSession ? max(entry.pointee.last, time) : time
    }

    @inline(never)
    private func add(
        _ user: User, at time: EventTime, _ install: InstallEnvelope, _ consents: UserConsents,
        _ ids: any TrackingIDs, _ state: inout State
    ) -> Unmanaged<EnvelopeContext.Buffer> {
        let context = EnvelopeContext(install, sessionID: ids.uuid(), userID: user.id)
        var entry = Entry(
            hash: user.hash, next: -1, wasUsed: false, consents: consents, last: time,
            expiry: SessionRule.expiry(ofSessionStartedAt: time), context: context)
        if state.count == state.capacity, state.capacity < maximumCount { grow(&state) }
        guard let entries = state.entries, let buckets = state.buckets else { preconditionFailure("no entries") }
        let index: Int
        if state.count < state.capacity {
            index = state.count
            state.count += 1
            Self.link(&entry, at: index, in: buckets, state.capacity)
            (entries + index).initialize(to: entry)
        } else {
            index = Self.unlinkOne(entries, buckets, &state)
            Self.link(&entry, at: index, in: buckets, state.capacity)
            entries[index] = entry
        }
        return Unmanaged.passUnretained(entries[index].context.buffer)
    }

    @inline(__always)
    private static func find(_ user: User, _ state: State) -> UnsafeMutablePointer<Entry>? {
        guard let entries = state.entries, let buckets = state.buckets else { return nil }
        var index = buckets[bucket(of: user.hash, state.capacity)]
        while index >= 0 {
            let entry = entries + Int(index)
            if entry.pointee.hash == user.hash,
                user.id.utf8.withContiguousStorageIfAvailable({ entry.pointee.context.isUser($0) }) ?? false
            {
                return entry
            }
            index = entry.pointee.next
        }
        return nil
    }

    @inline(__always)
    private static func bucket(of hash: Int, _ capacity: Int) -> Int {
        Int(((UInt64(UInt(bitPattern: hash)) & 0xFFFF_FFFF) * UInt64(capacity)) >> 32)
    }

    private static func link(
        _ entry: inout Entry, at index: Int, in buckets: UnsafeMutablePointer<Int32>, _ capacity: Int
    ) {
        let bucket = bucket(of: entry.hash, capacity)
        entry.next = buckets[bucket]
        buckets[bucket] = Int32(index)
    }

    /// Chooses the entry to replace, and removes it from its bucket.
    private static func unlinkOne(
        _ entries: UnsafeMutablePointer<Entry>, _ buckets: UnsafeMutablePointer<Int32>, _ state: inout State
    ) -> Int {
        while entries[state.candidate].wasUsed {
            entries[state.candidate].wasUsed = false
            state.candidate = (state.candidate + 1) % state.count
        }
        let index = state.candidate
        state.candidate = (state.candidate + 1) % state.count
        let first = bucket(of: entries[index].hash, state.capacity)
        if buckets[first] == Int32(index) {
            buckets[first] = entries[index].next
        } else {
            var before = Int(buckets[first])
            while entries[before].next != Int32(index) { before = Int(entries[before].next) }
            entries[before].next = entries[index].next
        }
        return index
    }

    /// Makes room for twice as many.
    private func grow(_ state: inout State) {
        let capacity = min(max(2 * state.capacity, 16), maximumCount)
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        let buckets = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
        buckets.initialize(repeating: -1, count: capacity)
        if let former = state.entries { entries.moveInitialize(from: former, count: state.count) }
        for index in 0..<state.count { Self.link(&entries[index], at: index, in: buckets, capacity) }
        state.entries?.deallocate()
        state.buckets?.deallocate()
        state.entries = entries
        state.buckets = buckets
        state.capacity = capacity
    }
}
