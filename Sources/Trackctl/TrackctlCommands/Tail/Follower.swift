internal import CommandSupport
internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles

/// What was named to be followed: one input, or several.
protocol FollowedInput: AnyObject {
    /// Shows everything new, until `body` answers false.
    ///
    /// - Returns: Whether there was anything.
    func read(_ body: (LineChunk, any Follower) throws -> Bool) throws -> Bool
}

/// An input that grows.
protocol Follower: AnyObject {
    /// The input as messages name it.
    var name: String { get }

    /// Of an event log, the install whose events these are.
    var installID: String? { get }

    /// The next lines that are there and have not been given out; nil if there are none yet.
    ///
    /// - Throws: `LogFileError`, `EventLogError` or `CommandFailure`.
    func next() throws -> LineChunk?
}

/// The lines of a file as they are written. It stays the same file when it gets another name; a file that was cut is read
/// from its start again.
final class FileFollower: Follower {
    let name: String
    let installID: String? = nil
    let identity: FileIdentity
    private let location: Int
    private let descriptor: Int32
    private let notice: (String) -> Void
    private var position: Int64 = 0
    /// Lines that were given out; of a file that was not read from its start, they are numbered from where that was.
    private var lines: Int64 = 0
    /// The start of a line whose end has not been written yet; of a longer line only so much as tells that it is too long.
    private var unfinished: [UInt8] = []
    private static let longestUnfinished = LogFileReader.maximumLineLength + 1
    /// How many of the lines that were wanted are there.
    private(set) var linesFound = 0
    /// The last bytes that were read: a file that has others there was cut and written anew, whatever its length.
    private var lastRead: [UInt8] = []
    private static let lastReadLength = 256

    /// - Parameters:
    ///   - last: How many of the lines that are there are wanted; nil for all.
    ///   - notice: Told that the file was cut.
    /// - Throws: ``CommandFailure``.
    init(path: String, location: Int, last: Int?, notice: @escaping (String) -> Void) throws {
        name = path
        self.location = location
        self.notice = notice
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let identity = FileIdentity(descriptor: descriptor) else {
            throw CommandFailure(
                errno == ENOENT ? .noInput : .inputOutput, "\(path) cannot be read: \(String(cString: strerror(errno)))"
            )
        }
        self.identity = identity
        if let last {
            position = startOfLast(last, length: identity.length)
            lastRead = read(
                at: max(0, position - Int64(Self.lastReadLength)), count: Int(min(position, Int64(Self.lastReadLength)))
            )
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Where the last so many lines begin; a line that is not finished is not one of them.
    private func startOfLast(_ count: Int, length: Int64) -> Int64 {
        var feeds = 0
        var end = length
        while end > 0 {
            let start = max(0, end - 64 << 10)
            let bytes = read(at: start, count: Int(end - start))
            for (index, byte) in bytes.enumerated().reversed() where byte == 0x0A {
                linesFound = feeds
                if feeds == count { return start + Int64(index) + 1 }
                feeds += 1
            }
            end = start
        }
        linesFound = feeds
        return 0
    }

    func next() throws -> LineChunk? {
        while true {
            if read(at: position - Int64(lastRead.count), count: lastRead.count) != lastRead {
                notice("\(name) was cut: reading it from its start again")
                (position, lines, unfinished, lastRead) = (0, 0, [], [])
            }
            let new = read(at: position, count: TextChunker.chunkSize)
            guard !new.isEmpty, !Interruption.isRequested else { return nil }
            position += Int64(new.count)
            lastRead = Array((lastRead + new.suffix(Self.lastReadLength)).suffix(Self.lastReadLength))
            guard let feed = new.lastIndex(of: 0x0A) else {
                keepUnfinished(new[...])
                continue
            }
            let first = new.firstIndex(of: 0x0A) ?? feed
            keepUnfinished(new[..<first])
            let bytes = unfinished + new[first...feed]
            unfinished = []
            keepUnfinished(new[(feed + 1)...])
            let before = lines
            lines += Int64(bytes.count { $0 == 0x0A })
            return LineChunk(input: location, linesBefore: before, bytes: bytes)
        }
    }

    private func keepUnfinished(_ bytes: ArraySlice<UInt8>) {
        unfinished.append(contentsOf: bytes.prefix(Self.longestUnfinished - unfinished.count))
    }

    /// What is there; nothing at the end, and where it cannot be read.
    private func read(at position: Int64, count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            while true {
                let result = pread(descriptor, buffer.baseAddress, count, off_t(position))
                if result < 0 && errno == EINTR { continue }
                read = max(0, result)
                return
            }
        }
    }
}

/// The events of a log as they come, those in its journals included.
final class DatabaseFollower: Follower {
    let name: String
    private(set) var installID: String?
    private let location: Int
    private let selection: EventSelection
    private var reader: EventLogReader
    private var identity: FileIdentity?
    private var rows: RowChunker
    private var lastSeq: Int64

    /// - Parameters:
    ///   - last: How many of the events that are there are wanted, if only the last ones are.
    /// - Throws: `EventLogError`.
    init(path: String, location: Int, selection: EventSelection, last: Int?) throws {
        name = path
        self.location = location
        self.selection = selection
        identity = FileIdentity(path: path)
        reader = try EventLogReader(path: path)
        let install = try reader.installID()
        installID = install
        lastSeq = selection.after?.highestSeq(of: install) ?? 0
        // Numbers without events make it start too late, if it starts exactly there; with a selection nobody can tell.
        if let last, selection.isOpen, try reader.ledger().isEmpty {
            lastSeq = max(lastSeq, try reader.statistics().lastSeq - Int64(last))
        }
        rows = Self.rows(reader, location, lastSeq, selection)
    }

    private static func rows(_ reader: EventLogReader, _ location: Int, _ seq: Int64, _ selection: EventSelection)
        -> RowChunker
    {
        RowChunker(reader, input: location, after: seq, selection: selection, longest: EventRecord.maximumLineLength)
    }

    func next() throws -> LineChunk? {
        do {
            if let chunk = try rows.next() { return chunk }
            lastSeq = rows.lastSeq
            try reopenIfReplaced()
            rows = Self.rows(reader, location, lastSeq, selection)
            return try rows.next()
        } catch let error as EventLogError {
            // Between its removal and the first commit of what takes its place there is nothing to read.
            guard FileIdentity(path: name) != identity else { throw error }
            return nil
        }
    }

    /// A log that was removed, or salvaged into a new file, is followed in its new file; one of another install from its
    /// first event on.
    private func reopenIfReplaced() throws {
        let now = FileIdentity(path: name)
        guard let now, now != identity else { return }
        let reader = try EventLogReader(path: name)
        let install = try reader.installID()
        if install != installID { lastSeq = selection.after?.highestSeq(of: install) ?? 0 }
        (self.reader, identity, installID) = (reader, now, install)
    }
}
