internal import Dispatch
internal import Foundation
internal import Primitives

/// Makes the rings of one writer, within the limits of the log and of its disk. Safe from any thread.
package final class JournalSupply: Sendable {
    /// The folder of the journals.
    let path: String
    /// What the names of its rings begin with; one of a kind.
    let writer: String
    private let made = Atomic(0)
    /// The bytes of a ring.
    let capacity: Int
    /// The bytes that the rings of all writers of the log may take; three quarters for events of any kind.
    let limit: Int
    private let liveness: WriterIdentity.Liveness
    /// Whether there may be more than one ring.
    let mayGrow: Bool
    /// Where rings are made ahead.
    let queue = DispatchQueue(label: "EventLog.journal", qos: .utility)
    private let rings = Locked<[JournalRing]>([])
    private let ready = Locked(Ready())

    private struct Ready {
        /// Empty rings.
        var spares: [JournalRing] = []
        /// Rings that somebody has sealed before they were used.
        var sealed: [JournalRing] = []
        /// No ring could be made: not tried again before.
        var refusedUntil: ContinuousClock.Instant?
    }
    /// What a file system must have left after a ring was made.
    private static let leastRoom = 16 << 20

    package init(folder: String, limit: Int, liveness: WriterIdentity.Liveness) {
        path = folder
        writer = "\(JournalFolder.ringPrefix)\(getpid())-\(String(UInt64.random(in: 0...(.max)), radix: 16))"
        self.limit = limit
        self.liveness = liveness
        capacity = Self.capacity(limit: limit)
        mayGrow = 2 * capacity <= limit
    }

    /// A supply of this one ring, for a writer without a log.
    package init(only ring: JournalRing) {
        path = (ring.file.path as NSString).deletingLastPathComponent
        writer = ring.name
        limit = .max
        liveness = .lock
        capacity = ring.capacity
        mayGrow = false
        rings.withLock { $0 = [ring] }
    }

    /// A quarter is kept for critical events.
    var commonLimit: Int { limit - limit / 4 }

    /// Room for the longest lines, whole pages on every system, and few files: an app may have 256 open on some systems.
    private static func capacity(limit: Int) -> Int {
        let page = 16 << 10
        let bytes = limit < 8 << 20 ? max(limit, 256 << 10) : max(4 << 20, limit / 32)
        return (bytes + page - 1) / page * page
    }

    /// Every ring of this writer that is in use, those without a name among them.
    var all: [JournalRing] { rings.withLock { $0 } }

    /// A ring to begin with, whatever the limit is. On a full disk it is a small one, or one of a page, so that the log can be
    /// opened, and what is stored be delivered and pruned; a larger one is made with the first event that finds room for it.
    ///
    /// - Throws: ``SystemError``, ENOSPC among them.
    func makeFirst(_ control: JournalControl) throws -> JournalRing {
        do { return try makeCounted(control, capacity) } catch  where DiskReserve.isFull(error) {
            // What is left is wanted more urgently than for a journal.
            let hasSome = DiskReserve.room(beside: path) > 2 << 20
            if hasSome, let small = try? makeCounted(control, 256 << 10) { return small }
            do { return try makeCounted(control, 4 << 10) } catch  where DiskReserve.isFull(error) {
                let reserve = DiskReserve(folder: path)
                reserve.giveUp()
                defer { reserve.keepRest() }
                return try makeCounted(control, 4 << 10)
            }
        }
    }

    private func makeCounted(_ control: JournalControl, _ capacity: Int) throws -> JournalRing {
        control.journalBytes.add(UInt64(capacity))
        do { return try make(control, capacity, isPopulated: true) } catch {
            control.journalBytes.subtract(UInt64(capacity))
            throw error
        }
    }

    /// An empty ring: one that stands ready, or else one that is made now. Waits while others are being made.
    ///
    /// - Returns: nil if there may be none: the limit, too little room on the disk, too many open files.
    func take(_ control: JournalControl, _ priority: EventPriority) -> JournalRing? {
        ready.withLock { ready in
            while !ready.spares.isEmpty {
                let spare = ready.spares.removeFirst()
                if !spare.isSealed { return spare }
                ready.sealed.append(spare)
            }
            // The limit costs nothing to ask; what else there may be is not asked for each event.
            guard mayGrow, control.journalBytes.load() <= limit(priority) - UInt64(capacity) else { return nil }
            let now = ContinuousClock.now
            if let refused = ready.refusedUntil, now < refused { return nil }
            let made = makeAnother(control, priority, isSenders: true)
            ready.refusedUntil = made == nil ? now.advanced(by: .milliseconds(10)) : nil
            return made
        }
    }

    /// Makes rings until so many stand ready. Not on a thread that sends.
    func refill(_ control: JournalControl, to count: Int) {
        while ready.withLock({ ready in
            guard ready.spares.count < count, let ring = makeAnother(control, .normal, isSenders: false) else {
                return false
            }
            ready.spares.append(ring)
            return true
        }) {}
    }

    /// Gives empty rings back, to be used again.
    func giveBack(_ rings: [JournalRing]) { ready.withLock { $0.spares += rings } }

    /// Overwrites what moved events have left in rings that stand ready.
    func wipe() { ready.withLock { ready in for ring in ready.spares { ring.wipe() } } }

    /// Takes out what stands ready but for so many, to be removed.
    func surplus(keeping count: Int) -> [JournalRing] {
        ready.withLock { ready in
            let surplus = ready.sealed + ready.spares.dropFirst(count)
            ready.spares = Array(ready.spares.prefix(count))
            ready.sealed = []
            return surplus
        }
    }

    /// - Parameter isSenders: Whether a sender waits for it. The disk is left for later then: until a thread of ours has
    ///   come to it, a power cut may leave an empty file, which is removed, or one with a damaged header, which is scanned.
    private func makeAnother(_ control: JournalControl, _ priority: EventPriority, isSenders: Bool) -> JournalRing? {
        guard mayGrow else { return nil }
        guard control.journalBytes.add(UInt64(capacity)) <= limit(priority), hasRoom(),
            let ring = try? make(control, capacity, isPopulated: !isSenders, isSynced: !isSenders)
        else {
            control.journalBytes.subtract(UInt64(capacity))
            return nil
        }
        if isSenders { queue.async { ring.sync() } }
        return ring
    }

    private func limit(_ priority: EventPriority) -> UInt64 { UInt64(priority == .critical ? limit : commonLimit) }

    /// Before any number is drawn in the ring the generation changes: whoever reads the counter later looks for it.
    private func make(
        _ control: JournalControl, _ capacity: Int, isPopulated: Bool, isSynced: Bool = true
    ) throws -> JournalRing {
        let number = made.wrappingAdd(1, ordering: .relaxed).newValue
        let ring = try JournalRing.create(
            folder: path, name: "\(writer)-\(number)", capacity: capacity, liveness: liveness, isPopulated: isPopulated,
            isSynced: isSynced)
        rings.withLock { $0.append(ring) }
        control.ringsGeneration.increment()
        return ring
    }

    /// Forgets a ring whose file was removed, or moved away.
    func forget(_ ring: JournalRing) { rings.withLock { rings in rings.removeAll { $0 === ring } } }

    private func hasRoom() -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        let (free, total) = (UInt64(status.f_bavail), UInt64(status.f_blocks))
        let block = UInt64(status.f_frsize)
        return free &* block >= UInt64(capacity) + max(UInt64(Self.leastRoom), total &* block / 20)
    }
}
