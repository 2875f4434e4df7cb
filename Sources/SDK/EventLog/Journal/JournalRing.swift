internal import EventModel
internal import Foundation
internal import Primitives

/// The file of one writer: a header, and a ring of records that it alone appends to.
///
/// ```text
/// 0        identity: mark, version, length, who writes it, checksum
/// 512      head: the position behind the last complete record; stored last, with release order
/// 576      tail: the position up to which records are in the database; stored by the mover after its commit
/// 640      number being drawn, 0 for none
/// 648      1 once the ring is sealed: its writer appends nothing to it any more
/// 704      drops without a number, counted by reason; 32 words; the highest bit once they are closed
/// 960      1 once the writer has gone
/// 968      when the writer's mover was at work last: seconds since the system started, for a heartbeat
/// 1024     time of the first drop of each reason, in microseconds since 1970, 0 for none; 32 words
/// 1280     time of the last one; 32 words
/// 4096     records
/// ```
///
/// Positions count bytes since the ring was made, so they only rise; a position's place is its remainder by the
/// capacity. The writer never overwrites what lies between tail and head, so what lies there stands still.
///
/// **Sealing.** Nobody trusts a verdict about another process. Whoever means to remove the ring seals it first, and
/// then reads the counter: the writer looks at the seal between drawing a number and completing its record. So a number
/// that it completes was drawn before the counter was read, and is found; later ones it gives up, and goes on in a new
/// ring. A wrong verdict costs a ring, never an event.
package final class JournalRing: Sendable {
    package static let headerSize = 4096
    static let version: UInt32 = 2
    private static let mark: UInt64 = 0x314C_4E4A_4C4B_5254  // "TRKLJNL1"
    private static let identityCapacity = 504
    private static let dropWords = 32
    private static let dropsClosed: UInt64 = 1 << 63
    /// Set for ``drawing`` while the number is not known yet.
    static let unknownNumber = UInt64.max
    /// Set in ``drawing`` by a mover that has taken the number back: its sender draws another.
    private static let takenBack: UInt64 = 1 << 62
    /// A writer whose heartbeat is older, in seconds, is taken to be suspended or dead.
    private static let longestHeartbeat: UInt64 = 60

    let file: MappedFile
    let capacity: Int
    /// The file's name.
    package let name: String
    /// Who writes it; nil if that can't be read any more.
    package let writer: WriterIdentity?
    /// Whether the file was not whole when it was opened, so that its header's words may be wrong.
    let isDamaged: Bool

    nonisolated(unsafe) let data: UnsafeMutableRawPointer  // into `file`, which lives as long
    package let head: SharedWord
    package let tail: SharedWord
    package let drawing: SharedWord
    private let sealed: SharedWord
    private let gone: SharedWord
    let heartbeat: SharedWord
    private let retired = Atomic(false)
    /// The writer's own lock, or that of whoever has seized the ring.
    private let life: Locked<Hold>

    private enum Hold {
        case none
        case writer(LifeLock?)
        /// Seized, when the counter stood there.
        case seizer(LifeLock?, drawn: UInt64)
    }

    private init(
        _ file: MappedFile, name: String, writer: WriterIdentity?, isDamaged: Bool = false, hold: Hold = .none
    ) {
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

    /// Makes an empty ring in a new file whose disk space is put aside, for a writer of this process.
    ///
    /// - Parameters:
    ///   - liveness: What is to show that the writer lives. Where a file system has no locks, a heartbeat does.
    ///   - isPopulated: Whether its pages are to be in memory at once, not at their first use.
    ///   - isSynced: Whether its header and then its name are on the disk before this returns; else ``sync()`` does it.
    /// - Throws: ``SystemError``, ``PrivateFile/Refusal``.
    package static func create(
        folder: String, name: String, capacity: Int, liveness: WriterIdentity.Liveness = .lock,
        isPopulated: Bool = false, isSynced: Bool = true
    ) throws -> JournalRing {
        let path = folder + "/" + name
        // Under another name until it is whole: who finds the name finds a ring, and its writer alive.
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
            var (liveness, lock): (_, LifeLock?) = (liveness, nil)
            if liveness == .lock {
                if case .taken(let taken) = LifeLock.take(draft) { lock = taken } else { liveness = .heartbeat }
            }
            let writer = WriterIdentity.current(liveness)
            HeaderIdentity.write(
                mark: mark, version: version, fileSize: file.size, text: writer.text, to: file.bytes,
                capacity: identityCapacity)
            let ring = JournalRing(file, name: name, writer: writer, hold: .writer(lock))
            ring.beat()
            if isSynced { DiskOrder.syncFile(file.descriptor, path) }
            guard rename(draft, path) == 0 else { throw SystemError("rename", path: path) }
            if isSynced { DiskOrder.syncFolder(folder) }
            if isPopulated { file.populate() }
            return ring
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Brings the header, what was written until now, and the file's name to the disk.
    func sync() {
        DiskOrder.syncFile(file.descriptor, file.path)
        DiskOrder.syncFolder(DiskOrder.folder(of: file.path))
    }

    /// What a file with the name of a ring turned out to be.
    package enum Found {
        case ring(JournalRing)
        /// Its header is damaged, or its length: its records may still be read.
        case damaged(JournalRing, reason: String)
        /// Too short to hold anything.
        case cut(size: Int)
        /// Without a byte: a power cut came between its naming and the writing of anything in it.
        case empty
        case newerVersion(UInt32)
    }

    /// Maps the ring of any writer.
    ///
    /// - Throws: ``SystemError``; to write, also ``PrivateFile/Refusal``.
    package static func find(folder: String, name: String, isWritable: Bool) throws -> Found {
        let path = folder + "/" + name
        let descriptor =
            isWritable ? try PrivateFile.open(path, O_RDWR) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        var status = stat()
        let length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        guard length >= headerSize + JournalRecord.headerSize else {
            close(descriptor)
            return length == 0 ? .empty : .cut(size: length)
        }
        var file = try MappedFile(path: path, descriptor: descriptor, size: length & ~7, isWritable: isWritable)
        switch identity(of: file) {
        case .success(let identity) where identity.version > version: return .newerVersion(identity.version)
        case .success(let identity):
            let writer = WriterIdentity(identity.text, version: identity.version)
            guard identity.fileSize != UInt64(length) else {
                return .ring(JournalRing(file, name: name, writer: writer))
            }
            // A record's place is its position's remainder by the length that the ring was made with.
            guard let size = Int(exactly: identity.fileSize), size & 7 == 0,
                headerSize + JournalRecord.headerSize <= size,
                isWritable || size < length
            else {
                return .damaged(
                    JournalRing(file, name: name, writer: writer, isDamaged: true),
                    reason: "its length is \(length) instead of \(identity.fileSize) bytes")
            }
            if size > length { file.restoreSize(size) }
            file = try MappedFile(path: path, descriptor: dup(descriptor), size: size, isWritable: isWritable)
            return .damaged(
                JournalRing(file, name: name, writer: writer, isDamaged: true),
                reason: "its length is \(length) instead of \(size) bytes")
        case .failure:
            if file.isBlank { return .empty }
            return .damaged(
                JournalRing(file, name: name, writer: nil, isDamaged: true), reason: "its header is damaged")
        }
    }

    private static func identity(of file: MappedFile) -> Result<HeaderIdentity, HeaderIdentity.Issue> {
        HeaderIdentity.read(mark: mark, from: UnsafeRawPointer(file.bytes), capacity: identityCapacity)
    }

    /// Whether the constant part of the header is what it was when the ring was made.
    var isHeaderIntact: Bool {
        if case .success(let identity) = Self.identity(of: file) {
            identity.fileSize == UInt64(file.size)
        } else {
            false
        }
    }

    /// The bytes that are not in the database yet, as far as the header can be trusted.
    var waitingBytes: UInt64 {
        let (head, tail) = (head.load(), tail.load())
        return head >= tail && head - tail <= UInt64(capacity) ? head - tail : 0
    }

    /// Says that its own writer goes on elsewhere, and does not come back.
    func retire() { retired.store(true, ordering: .relaxed) }

    var isRetired: Bool { retired.load(ordering: .relaxed) }

    // MARK: The number being drawn

    /// Whether a value of ``drawing`` says that the number was taken back.
    static func isTakenBack(_ drawing: UInt64) -> Bool { drawing != unknownNumber && drawing & takenBack != 0 }

    /// The number that a value of ``drawing`` names; 0 for none, ``unknownNumber`` for one that is not known.
    static func number(_ drawing: UInt64) -> UInt64 {
        guard isTakenBack(drawing) else { return drawing }
        return drawing == unknownNumber ^ 1 ? unknownNumber : drawing & ~takenBack
    }

    /// Takes a number back from its sender. That sees it before it completes its record, and draws another.
    ///
    /// - Returns: False if the sender has gone on meanwhile.
    func takeBack(_ drawing: UInt64) -> Bool {
        self.drawing.exchange(
            drawing, for: drawing == Self.unknownNumber ? Self.unknownNumber ^ 1 : drawing | Self.takenBack)
    }

    // MARK: The writer's life

    /// Whether whoever writes it seems to be alive. A wrong answer delays something; nothing is removed for it.
    package var isWriterAlive: Bool { Verdicts.given(isWriterHeld) }

    /// The same, never turned over by chance.
    var isWriterHeld: Bool {
        if gone.load() != 0 || isSealed { return false }
        guard let writer else { return LifeLock.isHeld(file.path) }
        if writer.isOfEarlierBoot { return false }
        return switch writer.liveness {
        case .lock: LifeLock.isHeld(file.path)
        case .heartbeat: Self.secondsOfBoot() < heartbeat.load() &+ Self.longestHeartbeat
        case .former: writer.seemsToRun
        }
    }

    /// Shows that the writer's mover is at work.
    func beat() { heartbeat.publish(Self.secondsOfBoot()) }

    /// Seconds since the system started, those of its sleep included.
    static func secondsOfBoot() -> UInt64 {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return UInt64(clamping: time.tv_sec)
    }

    /// Whether the writer must go on in another ring.
    @inline(__always)
    package var isSealed: Bool { sealed.loadInOrder() != 0 }

    /// Takes the ring over, to move what it holds and then remove it: only who holds its lock may. Under the control
    /// file's lock.
    ///
    /// - Returns: Whether it is ours now; false if its writer may be alive.
    func seize(counter: SharedWord) -> Bool {
        life.withLock { life in
            if case .seizer = life { return true }
            guard case .none = life else { return false }
            var lock: LifeLock?
            if writer?.liveness == .heartbeat {
                guard !isWriterAlive else { return false }
            } else {
                switch LifeLock.take(file.path) {
                case .taken(let taken): lock = taken
                case .held: if Verdicts.given(true) { return false }
                case .failed: if isWriterAlive { return false }
                }
            }
            sealed.storeInOrder(1)
            // After the seal: the writer completes no number that is drawn later.
            life = .seizer(lock, drawn: counter.loadInOrder())
            for reason in DropReason.allCases { dropWord(reason.journalCode).add(bits: Self.dropsClosed) }
            return true
        }
    }

    /// What the counter was when this process seized the ring; nil if it has not.
    var drawnWhenSeized: UInt64? {
        life.withLock { life in if case .seizer(_, let drawn) = life { drawn } else { nil } }
    }

    /// Says that nothing more will be written.
    package func markGone() {
        gone.publish(1)
        life.withLock { life in if case .writer = life { life = .none } }
    }

    /// Counts a drop that has no number. Only its writer, one thread at a time.
    ///
    /// - Returns: False if it is not counted: the ring is sealed.
    @discardableResult
    func count(_ reason: DropReason, at time: EventTime? = nil) -> Bool {
        if let time = time.map({ UInt64(bitPattern: $0.microseconds) }) {
            let (first, last) = timeWords(reason.journalCode)
            if first.load() == 0 { first.publish(time) }
            last.publish(time)
        }
        return dropWord(reason.journalCode).increment() < Self.dropsClosed
    }

    /// Drops of one reason that have no number.
    struct Drops {
        let reason: DropReason
        /// How many since the ring was made.
        let count: UInt64
        /// When; nil if nobody said so.
        let times: ClosedRange<EventTime>?
    }

    /// The drops without a number since the ring was made. A count that nobody can have reached is a fault of the file.
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
        precondition(code < Self.dropWords, "a reason without a word in the header")
        return SharedWord(file.bytes, offset: 704 + 8 * code)
    }

    /// The place of a position, and how many bytes follow it up to the ring's end.
    @inline(__always)
    func location(_ position: UInt64) -> (record: JournalRecord, room: Int) {
        let offset = Int(position % UInt64(capacity))
        return (JournalRecord(base: data + offset), capacity - offset)
    }

    /// The record that its own writer has put at a position.
    func record(at position: UInt64) -> WholeRecord? {
        let (record, room) = location(position)
        return record.whole(room: room, position: position)
    }

    /// Overwrites what is not waiting. Only for its writer, with no append under way.
    func wipe() {
        let free = capacity - Int(waitingBytes)
        let start = Int(head.load() % UInt64(capacity))
        let first = min(free, capacity - start)
        memset(data + start, 0, first)
        memset(data, 0, free - first)
    }
}

extension DropReason {
    /// The reason's word in a journal's header. Part of the format: never change one.
    var journalCode: Int {
        switch self {
        case .encoding: 0
        case .tooLarge: 1
        case .invalidName: 2
        case .optedOut: 3
        case .runaway: 4
        case .backlogFull: 5
        case .closed: 6
        case .evicted: 7
        case .repeatedID: 8
        case .refused: 9
        case .interrupted: 10
        case .damaged: 11
        case .erased: 12
        case .retired: 13
        case .notOpen: 14
        case .forked: 15
        case .unplanned: 16
        }
    }
}
