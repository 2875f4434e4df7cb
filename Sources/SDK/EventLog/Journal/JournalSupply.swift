internal import Dispatch
internal import Foundation
internal import Primitives

/// Makes the rings of one writer, within the limits of the log and of its disk. Safe to use from any thread.
package final class JournalSupply: Sendable {
    let path: String
    /// The unique prefix of the names of its rings.
    let writer: String
    private let made = Atomic(0)
    /// The size of a ring in bytes.
    let capacity: Int
    /// The maximum total size of the rings of all writers of the log, in bytes; three quarters are for events of any
    /// priority.
    let limit: Int
    private let liveness: WriterIdentity.Liveness
    let system: LogSystem
    /// Whether there may be more than one ring.
    let mayGrow: Bool
    /// The queue on which rings are made in advance.
    let queue = DispatchQueue(label: "EventLog.journal", qos: .utility)
    private let rings = Locked<[JournalRing]>([])
    private let ready = Locked(Ready())

    private struct Ready {
        /// Empty rings.
        var spares: [JournalRing] = []
        /// Rings that were sealed before they were used.
        var sealed: [JournalRing] = []
        /// After a failure, no ring is made before this time.
        var refusedUntil: ContinuousClock.Instant?
    }
    /// The free bytes that must remain on the file system after a ring was made.
    private static let leastRoom = 16 << 20

    package init(
        folder: String, limit: Int, liveness: WriterIdentity.Liveness, system: LogSystem = LogSystem()
    ) {
        path = folder
        writer = "\(JournalFolder.ringPrefix)\(getpid())-\(String(UInt64.random(in: 0...(.max)), radix: 16))"
        self.limit = limit
        self.liveness = liveness
        self.system = system
        capacity = Self.capacity(limit: limit)
        mayGrow = 2 * capacity <= limit
    }

    /// A supply of one existing ring, for a writer without a log.
    package init(only ring: JournalRing) {
        path = (ring.file.path as NSString).deletingLastPathComponent
        writer = ring.name
        limit = .max
        liveness = .lock
        system = LogSystem()
        capacity = ring.capacity
        mayGrow = false
        rings.withLock { $0 = [ring] }
    }

    /// The limit for events of normal priority; a quarter is reserved for critical events.
    var commonLimit: Int { limit - limit / 4 }

    /// Room for the longest lines, whole pages on every system, and few files: some systems allow an app 256 open
    /// files.
    private static func capacity(limit: Int) -> Int {
        let page = 16 << 10
        let bytes = limit < 8 << 20 ? max(limit, 256 << 10) : max(4 << 20, limit / 32)
        return (bytes + page - 1) / page * page
    }

    /// Every ring of this writer that is in use, including rings that have lost their name.
    var all: [JournalRing] { rings.withLock { $0 } }

    /// Makes the first ring, whatever the limit. On a full disk the ring is small, down to one page, so that the log
    /// can be opened and its stored events delivered and pruned. The first event that finds room makes a larger ring.
    ///
    /// - Throws: `SystemError`, including ENOSPC.
    func makeFirst(_ control: JournalControl) throws -> JournalRing {
        do { return try makeCounted(control, capacity) } catch  where DiskReserve.isFull(error) {
            // Other uses need the remaining space more than a journal does.
            let hasSome = DiskReserve.freeBytes(at: path) > 2 << 20
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

    /// An empty ring: a spare ring, or a new one. Waits while other rings are being made.
    ///
    /// - Returns: nil if no ring is possible: the limit is reached, the disk is nearly full, or too many files are
    ///   open.
    func nextRing(_ control: JournalControl, _ priority: EventPriority) -> JournalRing? {
        ready.withLock { ready in
            while !ready.spares.isEmpty {
                let spare = ready.spares.removeFirst()
                if !spare.isSealed { return spare }
                ready.sealed.append(spare)
            }
            // The limit is cheap to check for each event; the other conditions are not.
            guard mayGrow, control.journalBytes.load() <= limit(priority) - UInt64(capacity) else { return nil }
            let now = ContinuousClock.now
            if let refused = ready.refusedUntil, now < refused { return nil }
            let made = makeAnother(control, priority, isSenders: true)
            ready.refusedUntil = made == nil ? now.advanced(by: .milliseconds(10)) : nil
            return made
        }
    }

    /// Makes rings until `count` spare rings are ready. Do not call on a sending thread.
    func refill(_ control: JournalControl, to count: Int) {
        while ready.withLock({ ready in
            guard ready.spares.count < count, let ring = makeAnother(control, .normal, isSenders: false) else {
                return false
            }
            ready.spares.append(ring)
            return true
        }) {}
    }

    /// Returns empty rings for reuse.
    func recycle(_ rings: [JournalRing]) { ready.withLock { $0.spares += rings } }

    /// Overwrites moved events in the spare rings.
    func wipe() { ready.withLock { ready in for ring in ready.spares { ring.wipe() } } }

    /// Returns all spare rings except `count`, to be removed.
    func surplus(keeping count: Int) -> [JournalRing] {
        ready.withLock { ready in
            let surplus = ready.sealed + ready.spares.dropFirst(count)
            ready.spares = Array(ready.spares.prefix(count))
            ready.sealed = []
            return surplus
        }
    }

    /// - Parameter isSenders: Whether a sender waits for the ring. If so, the ring is synced later, on another thread.
    ///   Until then a power failure can leave an empty file, which is removed, or a file with a damaged header, which
    ///   is scanned.
    private func makeAnother(_ control: JournalControl, _ priority: EventPriority, isSenders: Bool) -> JournalRing? {
        guard mayGrow else { return nil }
        guard control.journalBytes.add(UInt64(capacity)) <= limit(priority), hasRoom(),
            // The reason is lost; the result is the same for a full disk and a limit. A later call retries.
            let ring = try? make(control, capacity, isPopulated: !isSenders, isSynced: !isSenders)
        else {
            control.journalBytes.subtract(UInt64(capacity))
            return nil
        }
        if isSenders { queue.async { ring.sync() } }
        return ring
    }

    private func limit(_ priority: EventPriority) -> UInt64 { UInt64(priority == .critical ? limit : commonLimit) }

    /// Changes the generation before any number is drawn in the ring, so that a process that reads the counter later
    /// finds the ring.
    private func make(
        _ control: JournalControl, _ capacity: Int, isPopulated: Bool, isSynced: Bool = true
    ) throws -> JournalRing {
        let number = made.wrappingAdd(1, ordering: .relaxed).newValue
        let ring = try JournalRing.create(
            folder: path, name: "\(writer)-\(number)", capacity: capacity, liveness: liveness, isPopulated: isPopulated,
            isSynced: isSynced, system: system)
        rings.withLock { $0.append(ring) }
        control.ringsGeneration.increment()
        return ring
    }

    /// Forgets a ring whose file was removed or moved away.
    func forget(_ ring: JournalRing) { rings.withLock { rings in rings.removeAll { $0 === ring } } }

    private func hasRoom() -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        let free = UInt64(status.f_bavail)
        let total = UInt64(status.f_blocks)
        let block = UInt64(status.f_frsize)
        return free &* block >= UInt64(capacity) + max(UInt64(Self.leastRoom), total &* block / 20)
    }
}
