internal import Foundation

/// The file of one writer: a header, and a ring of records that it alone appends to.
///
/// ```text
/// 0        identity: mark, version, length, who writes it, checksum
/// 512      head: the position behind the last complete record; stored last, with release order
/// 576      tail: the position up to which records are in the database; stored by the mover after its commit
/// 640      number being drawn, 0 for none
/// 704      drops without a number, counted by reason; 32 words
/// 960      1 once the writer has gone
/// 4096     records
/// ```
///
/// Positions count bytes since the ring was made, so they only rise; a position's place is its remainder by the
/// capacity. The writer never overwrites what lies between tail and head, so what lies there stands still.
package final class JournalRing: Sendable {
    package static let headerSize = 4096
    static let version: UInt32 = 1
    private static let mark: UInt64 = 0x314C_4E4A_4C4B_5254  // "TRKLJNL1"
    private static let identityCapacity = 504
    private static let dropWords = 32
    /// Set for ``drawing`` while the number is not known yet.
    static let unknownNumber = UInt64.max

    let file: MappedFile
    let capacity: Int
    /// The file's name.
    package let name: String
    /// Who writes it; nil if that can't be read any more.
    package let writer: ProcessIdentity?
    /// Whether the file was not whole when it was opened, so that its header's words may be wrong.
    let isDamaged: Bool

    nonisolated(unsafe) let data: UnsafeMutableRawPointer  // into `file`, which lives as long
    package let head: SharedWord
    package let tail: SharedWord
    package let drawing: SharedWord
    private let gone: SharedWord

    private init(_ file: MappedFile, name: String, writer: ProcessIdentity?, isDamaged: Bool = false) {
        self.isDamaged = isDamaged
        self.file = file
        self.name = name
        self.writer = writer
        capacity = file.size - Self.headerSize
        data = file.bytes + Self.headerSize
        head = SharedWord(file.bytes, offset: 512)
        tail = SharedWord(file.bytes, offset: 576)
        drawing = SharedWord(file.bytes, offset: 640)
        gone = SharedWord(file.bytes, offset: 960)
    }

    /// Makes an empty ring in a new file whose disk space is put aside.
    ///
    /// - Throws: ``SystemError``.
    package static func create(folder: String, name: String, capacity: Int, writer: ProcessIdentity) throws
        -> JournalRing
    {
        let path = folder + "/" + name
        // Under another name until it is whole: who finds the name finds a ring.
        let draft = path + ".new"
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError("open", path: draft) }
        do {
            do {
                try MappedFile.preallocate(descriptor, size: headerSize + capacity, path: draft)
            } catch {
                close(descriptor)
                throw error
            }
            let file = try MappedFile(path: path, descriptor: descriptor, size: headerSize + capacity, isWritable: true)
            HeaderIdentity.write(
                mark: mark, version: version, fileSize: file.size, text: "\(writer)", to: file.bytes,
                capacity: identityCapacity)
            guard rename(draft, path) == 0 else { throw SystemError("rename", path: path) }
            file.populate()
            return JournalRing(file, name: name, writer: writer)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// What a file with the name of a ring turned out to be.
    package enum Found {
        case ring(JournalRing)
        /// Its header is damaged, or its length: its records may still be read.
        case damaged(JournalRing, reason: String)
        /// Too short to hold anything.
        case cut(size: Int)
        case newerVersion(UInt32)
    }

    /// Maps the ring of any writer.
    ///
    /// - Throws: ``SystemError``.
    package static func find(folder: String, name: String, isWritable: Bool) throws -> Found {
        let path = folder + "/" + name
        let descriptor = open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        var status = stat()
        let length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        guard length >= headerSize + JournalRecord.headerSize else {
            close(descriptor)
            return .cut(size: length)
        }
        var file = try MappedFile(path: path, descriptor: descriptor, size: length & ~7, isWritable: isWritable)
        switch identity(of: file) {
        case .success(let identity) where identity.version > version: return .newerVersion(identity.version)
        case .success(let identity):
            let writer = ProcessIdentity(identity.text)
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
            return .damaged(
                JournalRing(file, name: name, writer: nil, isDamaged: true), reason: "its header is damaged")
        }
    }

    private static func identity(of file: MappedFile) -> Result<HeaderIdentity, HeaderIdentity.Fault> {
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

    /// Whether whoever writes it still can.
    package var isWriterAlive: Bool { gone.load() == 0 && writer.map(\.isAlive) ?? false }

    /// Says that nothing more will be written.
    func markGone() { gone.publish(1) }

    /// Counts a drop that has no number. Any thread.
    func count(_ reason: DropReason) { dropWord(reason.journalCode).increment() }

    /// The drops without a number since the ring was made. A count that nobody can have reached is a fault of the file.
    var drops: [(reason: DropReason, count: UInt64)] {
        if isDamaged { return [] }
        return DropReason.allCases.compactMap { reason in
            let count = dropWord(reason.journalCode).load()
            return 1...1 << 40 ~= count ? (reason, count) : nil
        }
    }

    private func dropWord(_ code: Int) -> SharedWord {
        precondition(code < Self.dropWords, "a reason without a word in the header")
        return SharedWord(file.bytes, offset: 704 + 8 * code)
    }

    /// The place of a position, and how many bytes follow it up to the ring's end.
    @inline(__always)
    func place(_ position: UInt64) -> (record: JournalRecord, room: Int) {
        let offset = Int(position % UInt64(capacity))
        return (JournalRecord(base: data + offset), capacity - offset)
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
        }
    }
}
