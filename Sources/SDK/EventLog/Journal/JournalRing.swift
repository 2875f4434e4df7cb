internal import EventModel
internal import Foundation
internal import Primitives

/// The file of one writer: a header, and a ring of records that only this writer appends to.
///
/// ```text
///    0      identity: mark, version, length, writer, checksum
///    512    head: the position after the last complete record; stored last, with release order
///    576    tail: the position up to which records are in the database; stored by the mover after its commit
///    640    the number being drawn, 0 for none
///    648    1 once the ring is sealed: its writer no longer appends to it
///    704    drops without a number, counted by reason; 32 words; the highest bit is set once they are closed
///    960    1 once the writer has ended
///    968    when the writer's mover last ran: seconds since the system booted, for a heartbeat
///    1024   time of the first drop of each reason, in microseconds since 1970, 0 for none; 32 words
///    1280   time of the last drop; 32 words
///    4096   records
/// ```
///
/// Positions count bytes since the ring was made, so they only rise. A position's offset is its remainder by the
/// capacity. The writer never overwrites bytes between tail and head, so those bytes do not change.
///
/// **Sealing.** Liveness checks of other processes can be wrong. Before removing a ring, a process seals it, and then
/// reads the counter. The writer checks the seal between drawing a number and completing its record. Every number that
/// it completes was therefore drawn before the counter was read. It gives up later numbers, and continues in a new
/// ring. A wrong liveness check costs a ring, but never an event.
package final class JournalRing: Sendable {
    package static let headerSize = 4096
    static let version: UInt32 = 2
    private static let mark: UInt64 = 0x314C_4E4A_4C4B_5254  // "TRKLJNL1"
    private static let identityCapacity = 504
    private static let dropWords = 32
    private static let dropsClosed: UInt64 = 1 << 63
    /// The value of ``drawing`` while the number is not known yet.
    static let unknownNumber = UInt64.max
    /// The bit of ``drawing`` that a mover sets when it reclaims the number. The sender then draws another.
    private static let reclaimed: UInt64 = 1 << 62
    /// The age in seconds after which a heartbeat counts as that of a suspended or dead writer.
    private static let longestHeartbeat: UInt64 = 60

    let file: MappedFile
    let capacity: Int
    /// The file's name.
    package let name: String
    /// The writer; nil if it can no longer be read.
    package let writer: WriterIdentity?
    /// Whether the file was damaged when it was opened, so that its header's words may be wrong.
    let isDamaged: Bool
    private let system: LogSystem

    nonisolated(unsafe) let data: UnsafeMutableRawPointer  // Points into `file`, which the ring keeps alive.
    package let head: SharedWord
    package let tail: SharedWord
    package let drawing: SharedWord
    private let sealed: SharedWord
    private let gone: SharedWord
    let heartbeat: SharedWord
    private let retired = Atomic(false)
    /// The lock of the ring's writer, or of the process that has seized the ring.
    private let life: Locked<Hold>

    private enum Hold {
        case none
        case writer(LifeLock?)
        /// Seized, with the counter at that time.
        case seizer(LifeLock?, drawn: UInt64)
    }

    private init(
        _ file: MappedFile, name: String, writer: WriterIdentity?, isDamaged: Bool = false, hold: Hold = .none,
        _ system: LogSystem
    ) {
        self.system = system
        self.isDamaged = isDamaged
        self.file = file
        self.name = name
        self.writer = writer
        life = Locked(hold)
        capacity = file.size - Self.headerSize
        data = file.bytes + Self.headerSize
        head = SharedWord(file.bytes, offset: 512)
        tail = SharedWord(file.bytes, offset: 576)
        drawing = SharedWord(file.bytes, offset: 640)
        sealed = SharedWord(file.bytes, offset: 648)
        gone = SharedWord(file.bytes, offset: 960)
        heartbeat = SharedWord(file.bytes, offset: 968)
    }

    /// Makes an empty ring in a new file with preallocated disk space, for a writer of this process.
    ///
    /// - Parameters:
    ///   - liveness: How the writer shows that it is alive. On a file system without locks, a heartbeat is used.
    ///   - isPopulated: Whether its pages are loaded into memory now rather than at their first use.
    ///   - isSynced: Whether its header and then its name are synced before this returns. If false, call ``sync()``
    ///     later.
    /// - Throws: `SystemError`, ``PrivateFile/Refusal``.
    package static func create(
        folder: String, name: String, capacity: Int, liveness: WriterIdentity.Liveness = .lock,
        isPopulated: Bool = false, isSynced: Bool = true, system: LogSystem = LogSystem()
    ) throws -> JournalRing {
        let path = folder + "/" + name
        // Under another name until it is complete: under its final name, other processes find a complete ring with a
        // living writer.
        let draft = path + ".new"
        let descriptor = try PrivateFile.open(draft, O_RDWR | O_CREAT | O_EXCL)
        do {
            do {
                try MappedFile.preallocate(descriptor, size: headerSize + capacity, path: draft)
            } catch {
                close(descriptor)
                throw error
            }
            let file = try MappedFile(path: path, descriptor: descriptor, size: headerSize + capacity, isWritable: true)
            var liveness = liveness
            var lock: LifeLock?
            if liveness == .lock {
                if case .acquired(let own) = LifeLock.acquire(draft) { lock = own } else { liveness = .heartbeat }
            }
            let writer = WriterIdentity.current(liveness)
            HeaderIdentity.write(
                mark: mark, version: version, fileSize: file.size, text: writer.text, to: file.bytes,
                capacity: identityCapacity)
            let ring = JournalRing(file, name: name, writer: writer, hold: .writer(lock), system)
            ring.beat()
            try DiskOrder(system: system, isSynced: isSynced).publish(draft, as: path, syncing: file.descriptor)
            if isPopulated { file.populate() }
            return ring
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Syncs the header, all bytes written so far, and the file's name.
    func sync() {
        let disk = DiskOrder(system: system)
        disk.sync(file.descriptor, path: file.path)
        disk.syncFolder(DiskOrder.folder(of: file.path))
    }

    /// The state of a file with the name of a ring.
    package enum Found {
        case ring(JournalRing)
        /// Its header or its length is damaged, but its records may be readable.
        case damaged(JournalRing, reason: String)
        /// Too short for any record.
        case truncated(size: Int)
        /// All zeros: the power failed between naming the file and writing to it.
        case empty
        case newerVersion(UInt32)
    }

    /// Maps the ring of any writer.
    ///
    /// - Throws: `SystemError`; for writing, also ``PrivateFile/Refusal``.
    package static func find(
        folder: String, name: String, isWritable: Bool, system: LogSystem = LogSystem()
    ) throws -> Found {
        let path = folder + "/" + name
        let descriptor =
            isWritable ? try PrivateFile.open(path, O_RDWR) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        var status = stat()
        let length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        guard length >= headerSize + JournalRecord.headerSize else {
            close(descriptor)
            return length == 0 ? .empty : .truncated(size: length)
        }
        var file = try MappedFile(path: path, descriptor: descriptor, size: length & ~7, isWritable: isWritable)
        switch identity(of: file) {
        case .success(let identity) where identity.version > version: return .newerVersion(identity.version)
        case .success(let identity):
            let writer = WriterIdentity(identity.text)
            guard identity.fileSize != UInt64(length) else {
                return .ring(JournalRing(file, name: name, writer: writer, system))
            }
            // A record's offset depends on the length that the ring was made with.
            guard let size = Int(exactly: identity.fileSize), size & 7 == 0,
                headerSize + JournalRecord.headerSize <= size,
                isWritable || size < length
            else {
                return .damaged(
                    JournalRing(file, name: name, writer: writer, isDamaged: true, system),
                    reason: "\(length) bytes long instead of \(identity.fileSize)")
            }
            if size > length { file.restoreSize(size) }
            file = try MappedFile(path: path, descriptor: dup(descriptor), size: size, isWritable: isWritable)
            return .damaged(
                JournalRing(file, name: name, writer: writer, isDamaged: true, system),
                reason: "\(length) bytes long instead of \(size)")
        case .failure:
            if file.isBlank { return .empty }
            return .damaged(
                JournalRing(file, name: name, writer: nil, isDamaged: true, system), reason: "damaged header")
        }
    }

    private static func identity(of file: MappedFile) -> Result<HeaderIdentity, HeaderIdentity.Issue> {
        HeaderIdentity.read(mark: mark, from: UnsafeRawPointer(file.bytes), capacity: identityCapacity)
    }

    /// Whether the constant part of the header is unchanged.
    var isHeaderIntact: Bool {
        if case .success(let identity) = Self.identity(of: file) {
            identity.fileSize == UInt64(file.size)
        } else {
            false
        }
    }

    /// The bytes that are not in the database yet, according to the header.
    var waitingBytes: UInt64 {
        let head = head.load()
        let tail = tail.load()
        return head >= tail && head - tail <= UInt64(capacity) ? head - tail : 0
    }

    /// Marks a ring whose writer continues in another ring and does not come back.
    func retire() { retired.store(true, ordering: .relaxed) }

    var isRetired: Bool { retired.load(ordering: .relaxed) }

    // MARK: The number being drawn

    /// Whether a value of ``drawing`` is a reclaimed number.
    static func isReclaimed(_ drawing: UInt64) -> Bool { drawing != unknownNumber && drawing & reclaimed != 0 }

    /// The number in a value of ``drawing``; 0 for none, ``unknownNumber`` if it is not known.
    static func number(_ drawing: UInt64) -> UInt64 {
        guard isReclaimed(drawing) else { return drawing }
        return drawing == unknownNumber ^ 1 ? unknownNumber : drawing & ~reclaimed
    }

    /// Reclaims a number from its sender, which detects that before it completes its record, and draws another number.
    ///
    /// - Returns: False if the sender has finished meanwhile.
    func reclaim(_ drawing: UInt64) -> Bool {
        self.drawing.exchange(
            drawing, for: drawing == Self.unknownNumber ? Self.unknownNumber ^ 1 : drawing | Self.reclaimed)
    }

    // MARK: The writer's life

    /// Whether the ring's writer seems to be alive. A wrong answer causes a delay, never a removal.
    package var isWriterAlive: Bool { system.judge(isWriterHeld) }

    /// Like ``isWriterAlive``, but not passed to ``LogSystem/judge``.
    var isWriterHeld: Bool {
        if gone.load() != 0 || isSealed { return false }
        guard let writer else { return LifeLock.isHeld(file.path) }
        if writer.isOfEarlierBoot { return false }
        return switch writer.liveness {
        case .lock: LifeLock.isHeld(file.path)
        case .heartbeat: Self.secondsOfBoot() < heartbeat.load() &+ Self.longestHeartbeat
        }
    }

    /// Records that the writer's mover is running.
    func beat() { heartbeat.publish(Self.secondsOfBoot()) }

    /// Seconds since the system booted, including sleep.
    static func secondsOfBoot() -> UInt64 { UInt64(clamping: BootTime.now.microseconds / 1_000_000) }

    /// Whether the writer must continue in another ring.
    @inline(__always)
    package var isSealed: Bool { sealed.loadInOrder() != 0 }

    /// Takes over the ring in order to move its records and then remove it, which only the holder of its lock may do.
    /// Call with the control file's lock held.
    ///
    /// - Parameter isForced: Whether to seize the ring of a living writer, too, which then continues in a new ring.
    /// - Returns: Whether this process has the ring now; false if its writer may be alive.
    func seize(counter: SharedWord, isForced: Bool = false) -> Bool {
        life.withLock { life in
            if case .seizer = life { return true }
            guard case .none = life else { return false }
            var lock: LifeLock?
            if writer?.liveness == .heartbeat {
                guard isForced || !isWriterAlive else { return false }
            } else {
                switch LifeLock.acquire(file.path) {
                case .acquired(let acquired): lock = acquired
                case .held: if !isForced, system.judge(true) { return false }
                case .failed: if !isForced, isWriterAlive { return false }
                }
            }
            sealed.storeInOrder(1)
            // Read after sealing: the writer completes no number that is drawn later.
            life = .seizer(lock, drawn: counter.loadInOrder())
            for reason in DropReason.allCases { dropWord(reason.journalCode).add(bits: Self.dropsClosed) }
            return true
        }
    }

    /// The counter when this process seized the ring; nil if it has not.
    var drawnWhenSeized: UInt64? {
        life.withLock { life in if case .seizer(_, let drawn) = life { drawn } else { nil } }
    }

    /// Marks that nothing more will be written to the ring.
    package func markGone() {
        gone.publish(1)
        life.withLock { life in if case .writer = life { life = .none } }
    }

    /// Counts a drop without a number. Only for the ring's writer, on one thread at a time.
    ///
    /// - Returns: False if it is not counted because the ring is sealed.
    @discardableResult
    func count(_ reason: DropReason, at time: EventTime? = nil) -> Bool {
        if let time = time.map({ UInt64(bitPattern: $0.microseconds) }) {
            let (first, last) = timeWords(reason.journalCode)
            if first.load() == 0 { first.publish(time) }
            last.publish(time)
        }
        // Never increments a sealed word: another process may still read it, and the caller counts the drop elsewhere.
        let word = dropWord(reason.journalCode)
        while true {
            let count = word.load()
            guard count < Self.dropsClosed else { return false }
            if word.exchange(count, for: count + 1) { return true }
        }
    }

    /// Drops without a number, for one reason.
    struct Drops {
        let reason: DropReason
        /// How many since the ring was made.
        let count: UInt64
        /// The times of the first and the last; nil if unknown.
        let times: ClosedRange<EventTime>?
    }

    /// The drops without a number since the ring was made. An impossible count is treated as damage.
    var drops: [Drops] {
        if isDamaged { return [] }
        return DropReason.allCases.compactMap { reason in
            let count = dropWord(reason.journalCode).load() & ~Self.dropsClosed
            guard 1...1 << 40 ~= count else { return nil }
            let (first, last) = timeWords(reason.journalCode)
            let times = [first, last].map { EventTime(microseconds: Int64(bitPattern: $0.load())) }
            let isKnown = first.load() != 0
            return Drops(
                reason: reason, count: count,
                times: isKnown ? min(times[0], times[1])...max(times[0], times[1]) : nil)
        }
    }

    private func timeWords(_ code: Int) -> (first: SharedWord, last: SharedWord) {
        (SharedWord(file.bytes, offset: 1024 + 8 * code), SharedWord(file.bytes, offset: 1280 + 8 * code))
    }

    private func dropWord(_ code: Int) -> SharedWord {
        precondition(code < Self.dropWords, "no word in the header for this drop reason")
        return SharedWord(file.bytes, offset: 704 + 8 * code)
    }

    /// The record at a position, and the number of bytes from there to the ring's end.
    @inline(__always)
    func location(_ position: UInt64) -> (record: JournalRecord, room: Int) {
        let offset = Int(position % UInt64(capacity))
        return (JournalRecord(base: data + offset), capacity - offset)
    }

    /// The record that this ring's writer has written at a position.
    func record(at position: UInt64) -> WholeRecord? {
        let (record, room) = location(position)
        return record.whole(room: room, position: position)
    }

    /// Overwrites all bytes that are not waiting to be moved. Only for the ring's writer, while no append is running.
    func wipe() {
        let free = capacity - Int(waitingBytes)
        let start = Int(head.load() % UInt64(capacity))
        let first = min(free, capacity - start)
        memset(data + start, 0, first)
        memset(data, 0, free - first)
    }
}
