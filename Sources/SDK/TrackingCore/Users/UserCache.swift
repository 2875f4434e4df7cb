internal import EventModel
internal import Primitives

/// What a user's consent restricts.
struct UserConsents: Sendable {
    /// The user's ``/EventLog/ConsentPerson/key``; 0 before it is computed.
    var key: UInt64 = 0
    /// The generation of the log when they were looked up; 0 before.
    var generation: UInt64 = 0
    /// The restrictions, as in ``SenderState/restrictions(_:of:)``, and the bits of the purposes that were looked up.
    var restrictions: UInt32 = 0
    var known: UInt16 = 0

    /// Whether nothing has changed since they were looked up.
    @inline(__always)
    func isCurrent(for kind: EventKind, at generation: UInt64) -> Bool {
        self.generation == generation && kind.restrictionBits & 0x7FFF & ~Int(known) == 0
    }

    /// What they restrict for a type of events; 0 for nothing.
    @inline(__always)
    func restrictions(of kind: EventKind) -> Int { Int(restrictions) & kind.restrictionBits }
}

/// What the cache knows about a user.
struct CachedUser: Sendable {
    var consents = UserConsents()
    /// The time of the last event, and when the session has its maximum length.
    var last = EventTime(microseconds: 0)
    var expiry = EventTime(microseconds: 0)
}

/// The sessions and the consents of the users who have sent an event recently, at most a number of them. A user who has
/// left it starts a new session.
///
/// An event that needs room replaces a user who has sent none since the cache last looked for one to replace
/// (the clock algorithm). A hash table with linear probing (Knuth, The Art of Computer Programming 3, 6.4): a search reads one slot,
/// which ``prefetch(_:)`` loads while the event is encoded, and the envelope context. Users are checked in the order in which
/// they came: in the order of the table, the slots ahead would be nearly full. Used under the dispatcher's lock only, so a context
/// that was looked up stays alive until the next event is appended.
final class UserCache: @unchecked Sendable {  // guarded by the dispatcher's lock
    /// An element of the table.
    struct Slot {
        /// Of the user's last event; nil if the slot is free.
        fileprivate(set) var context: EnvelopeContext?
        fileprivate var hash: UInt32 = 0
        /// Twice the user's index in ``UserCache/order``, plus 1 if the user has sent an event since the cache last checked it.
        fileprivate var index: UInt32 = 0
    }

    private let maximumCount: Int
    private var slots: UnsafeMutablePointer<Slot>?
    /// A power of two.
    private var capacity = 0
    /// The slots of the users, in the order in which they are checked.
    private var order: [UInt32] = []
    /// The index in ``order`` to check next.
    private var next = 0
    /// The address of the slots and their number, for ``prefetch(_:)``, which needs no lock. They may not belong together.
    private let address = Atomic(0)
    private let prefetched = Atomic(0)

    /// - Parameter maximumCount: The most users, at least 1.
    init(maximumCount: Int) { self.maximumCount = min(max(maximumCount, 1), Int(Int32.max) / 2) }

    deinit {
        slots?.deinitialize(count: capacity)
        slots?.deallocate()
    }

    /// Starts to load the slot of a user into the processor's cache. Call it on any thread, without a lock.
    @inline(__always)
    func prefetch(_ user: User) {
        let number = Int(user.hash) & (prefetched.load(ordering: .relaxed) &- 1)
        Primitives.prefetch(address.load(ordering: .relaxed) &+ number &* MemoryLayout<Slot>.stride)
    }

    /// The slot of a user; nil if the user is not in the cache. Valid until a user is added.
    @inline(__always)
    func find(_ user: User) -> UnsafeMutablePointer<Slot>? {
        guard let slots else { return nil }
        var slot = slots + Int(user.hash) & (capacity - 1)
        while let context = slot.pointee.context {
            if slot.pointee.hash == user.hash,
                user.id.utf8.withContiguousStorageIfAvailable({ context.isUser($0) }) ?? false
            {
                return slot
            }
            slot = slots + (slot - slots + 1) & (capacity - 1)
        }
        return nil
    }

    /// The envelope context of a user's event.
    ///
    /// - Parameter slot: The result of ``find(_:)``.
    @inline(__always)
    func envelopeContext(
        of user: User, _ slot: UnsafeMutablePointer<Slot>?, at time: EventTime, in install: InstallEnvelope,
        consents: UserConsents, ids: any TrackingIDs
    ) -> Unmanaged<EnvelopeContext.Buffer> {
        guard let slot, var context = slot.pointee.context else {
            return add(user, at: time, in: install, consents: consents, ids: ids)
        }
        let last = context.user.last
        let isHeld = SessionRule.holds(at: time, after: last, until: context.user.expiry)
        if !isHeld || !context.isOf(install) {
            context = Self.renewed(context, of: user, at: time, in: install, keepsSession: isHeld, ids: ids)
            slot.pointee.context = context
        }
        slot.pointee.index |= 1
        context.user.consents = consents
        context.user.last = isHeld ? max(last, time) : time
        return Unmanaged.passUnretained(context.buffer)
    }

    @inline(never)
    private static func renewed(
        _ former: EnvelopeContext, of user: User, at time: EventTime, in install: InstallEnvelope,
        keepsSession: Bool, ids: any TrackingIDs
    ) -> EnvelopeContext {
        let sessionID = keepsSession ? former.sessionID : ids.uuid()
        let context = EnvelopeContext(install, sessionID: sessionID, userID: user.id)
        context.user.expiry =
            keepsSession ? former.user.expiry : SessionRule.expiry(ofSessionStartedAt: time)
        return context
    }

    @inline(never)
    private func add(
        _ user: User, at time: EventTime, in install: InstallEnvelope, consents: UserConsents, ids: any TrackingIDs
    ) -> Unmanaged<EnvelopeContext.Buffer> {
        let context = EnvelopeContext(install, sessionID: ids.uuid(), userID: user.id)
        context.user = CachedUser(
            consents: consents, last: time, expiry: SessionRule.expiry(ofSessionStartedAt: time))
        var index = order.count
        if order.count == maximumCount {
            index = removeOne()
        } else {
            if 4 * order.count >= 3 * capacity { grow() }
            order.append(0)
        }
        insert(Slot(context: context, hash: user.hash, index: 2 * UInt32(index)))
        return Unmanaged.passUnretained(context.buffer)
    }

    private func insert(_ slot: Slot) {
        guard let slots else { return }
        var number = Int(slot.hash) & (capacity - 1)
        while slots[number].context != nil { number = (number + 1) & (capacity - 1) }
        slots[number] = slot
        order[Int(slot.index / 2)] = UInt32(number)
    }

    /// Removes a user who has not sent an event recently.
    ///
    /// - Returns: The user's index in the order, which is free.
    private func removeOne() -> Int {
        guard let slots else { return 0 }
        while slots[Int(order[next])].index & 1 != 0 {
            slots[Int(order[next])].index &= ~1
            next = (next + 1) % order.count
        }
        let index = next
        next = (next + 1) % order.count
        // Those behind it move up, unless they would be before their first slot.
        var free = Int(order[index])
        slots[free] = Slot()
        var number = (free + 1) & (capacity - 1)
        while slots[number].context != nil {
            let first = Int(slots[number].hash)
            if (number - first) & (capacity - 1) >= (number - free) & (capacity - 1) {
                order[Int(slots[number].index / 2)] = UInt32(free)
                // Moved, because a copy would read the context's memory.
                (slots + free).moveUpdate(from: slots + number, count: 1)
                (slots + number).initialize(to: Slot())
                free = number
            }
            number = (number + 1) & (capacity - 1)
        }
        return index
    }

    /// Makes room for twice as many users.
    private func grow() {
        let former = (slots: slots, count: capacity)
        capacity = max(2 * capacity, 16)
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        self.slots = slots
        for number in 0..<former.count {
            if let slot = former.slots?[number], slot.context != nil { insert(slot) }
        }
        former.slots?.deinitialize(count: former.count)
        former.slots?.deallocate()
        address.store(Int(bitPattern: slots), ordering: .relaxed)
        prefetched.store(capacity, ordering: .relaxed)
    }
}
