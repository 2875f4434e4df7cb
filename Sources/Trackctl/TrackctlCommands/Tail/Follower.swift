internal import CommandSupport
internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles

/// A followed command-line argument: one input, or several.
protocol FollowedInput: AnyObject {
    /// Calls `body` with all new lines, until it returns false.
    ///
    /// - Returns: Whether there were new lines.
    func read(_ body: (LineChunk, any Follower) throws -> Bool) throws -> Bool
}

extension EventRequest {
    /// Follows each path.
    ///
    /// - Parameters:
    ///   - last: The number of existing lines to read; nil for all.
    ///   - interval: The time between two requests to a collector without new lines.
    ///   - notice: Called with messages for the user.
    /// - Throws: `LogFileError`, `EventLogError`, `DeliverySetupError`, ``CommandFailure``.
    func followedInputs(
        _ watch: FolderWatch, last: Int?, interval: Duration = .seconds(1), notice: @escaping (String) -> Void
    ) throws -> [any FollowedInput] {
        try paths.enumerated().map { location, path in
            guard let collectors, CollectorAddress.isOne(path) else {
                return try FollowedLog(
                    path, location: location, request: self, last: last, watch: watch, notice: notice)
            }
            let lines = CollectorLines(try collectors.client(path), input: location, selection: selection)
            return FollowedCollector(lines, interval: interval, notice: notice)
        }
    }
}

/// An input that grows.
protocol Follower: AnyObject {
    /// The input's name in messages.
    var name: String { get }

    /// The install of an event log; nil for other inputs.
    var installID: String? { get }

    /// The next lines that are available; nil if there are none yet.
    ///
    /// - Throws: `LogFileError`, `EventLogError` or `CommandFailure`.
    func next() throws -> LineChunk?
}

/// Follows a file while it is written, even if it is renamed. Starts over if the file is truncated.
final class FileFollower: Follower {
    let name: String
    let installID: String? = nil
    let identity: FileIdentity
    private let location: Int
    private let descriptor: Int32
    private let notice: (String) -> Void
    private var position: Int64 = 0
    /// Lines read so far, counted from the start of reading.
    private var lines: Int64 = 0
    /// The start of a line whose end is not written yet, limited to the length that shows it is too long.
    private var unfinished: [UInt8] = []
    private static let longestUnfinished = LogFileReader.maximumLineLength + 1
    /// The number of requested existing lines that were found.
    private(set) var linesFound = 0
    /// The last bytes read. If the file has other bytes there, it was truncated and rewritten.
    private var lastRead: [UInt8] = []
    private static let lastReadLength = 256

    /// - Parameters:
    /// - last: The number of existing lines to read; nil for all.
    /// - notice: Called if the file was truncated.
    /// - Throws: ``CommandFailure``.
    init(path: String, location: Int, last: Int?, notice: @escaping (String) -> Void) throws {
        name = path
        self.location = location
        self.notice = notice
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let identity = FileIdentity(descriptor: descriptor) else {
            throw CommandFailure(
                errno == ENOENT ? .noInput : .inputOutput, "cannot read \(path): \(String(cString: strerror(errno)))"
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

    /// The offset of the last `count` complete lines.
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
                notice("\(name) was truncated: reading it again from the start")
                position = 0
                lines = 0
                unfinished = []
                lastRead = []
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

    /// Reads bytes at a position; empty at the end, and if they cannot be read.
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

/// Follows an event log, including events in its journals.
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
    /// - last: The number of existing events to read; nil for all.
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
        // Skip to the end only if no numbers are missing and nothing is selected; otherwise the start is unknown.
        if let last, selection.isOpen, try reader.ledger().isEmpty {
            lastSeq = max(lastSeq, try reader.statistics().lastSeq - Int64(last))
        }
        rows = Self.rows(reader, location: location, after: lastSeq, selection: selection)
    }

    private static func rows(_ reader: EventLogReader, location: Int, after seq: Int64, selection: EventSelection)
        -> RowChunker
    {
        RowChunker(reader, input: location, after: seq, selection: selection, longest: EventRecord.maximumLineLength)
    }

    func next() throws -> LineChunk? {
        do {
            if let chunk = try rows.next() { return chunk }
            lastSeq = rows.lastSeq
            try reopenIfReplaced()
            rows = Self.rows(reader, location: location, after: lastSeq, selection: selection)
            return try rows.next()
        } catch let error as EventLogError {
            // Between the removal of the log and the first commit of its replacement, there is nothing to read.
            guard FileIdentity(path: name) != identity else { throw error }
            return nil
        }
    }

    /// Reopens a log that was removed or rebuilt into a new file. If the install differs, starts with its first
    /// event.
    private func reopenIfReplaced() throws {
        let now = FileIdentity(path: name)
        guard let now, now != identity else { return }
        let reader = try EventLogReader(path: name)
        let install = try reader.installID()
        if install != installID { lastSeq = selection.after?.highestSeq(of: install) ?? 0 }
        self.reader = reader
        identity = now
        installID = install
    }
}
