internal import EventLog
internal import EventQuery
internal import Foundation
internal import LogFiles

/// What somebody named to be followed: a database, a file with those that it is rotated into, a folder of such files. It
/// may come later, if its folder is there.
final class FollowedLog: FollowedInput {
    /// So many files are kept open; of more, the oldest ones are taken for finished.
    private static let mostFiles = 32
    /// A log that is just being made cannot be read at first: how long that is taken for the reason. Each change of its folder
    /// is a look, so their number says nothing.
    private static let patience = Duration.seconds(10)

    private let request: EventRequest
    private let path: String
    private let location: Int
    private let watch: FolderWatch
    private let notice: (String) -> Void
    private var followers: [any Follower] = []
    /// Files that were there before and have not been opened yet, from the oldest on.
    private var pending: ArraySlice<String> = []
    /// Files that have been read, or are not to be, with the time of their last change: the system may give the number of
    /// a file that has gone to the next one.
    private var known: [FileIdentity: Int64] = [:]
    private var isDatabase = false
    private var isAwaited = false
    private var firstFailure: ContinuousClock.Instant?

    /// - Parameters:
    ///   - path: As it was typed.
    ///   - location: Its place among all inputs.
    ///   - last: How many of the lines that are there are wanted; nil for all.
    ///   - watch: Is told of the folders whose changes matter, before the files are read.
    ///   - notice: Told what a reader should know.
    /// - Throws: `LogFileError`, `EventLogError`, ``CommandFailure``.
    init(
        _ path: String, location: Int, request: EventRequest, last: Int?, watch: FolderWatch,
        notice: @escaping (String) -> Void
    ) throws {
        self.path = path
        self.location = location
        self.request = request
        self.watch = watch
        self.notice = notice
        if isFolder { try watch.add(folder: path) }
        let files = try filesThere()
        guard files.isEmpty || Self.isBeingMade(files) else {
            try begin(files, last: last)
            return
        }
        if !isFolder { try watch.add(folder: Self.folder(of: path)) }
        isAwaited = true
        notice("\(path) has no events yet: waiting for them")
    }

    private var isFolder: Bool { Self.isFolder(path) }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The files that are meant; none if they may come.
    private func filesThere() throws -> [String] {
        do {
            let files = try LogPaths.expand([path])
            guard files == [path], FileIdentity(path: path) == nil, Self.isFolder(Self.folder(of: path)) else {
                return files
            }
            return []
        } catch let error as LogFileError where error.code == .notFound && isFolder {
            return []
        }
    }

    private func begin(_ files: [String], last: Int?) throws {
        let newest = files[files.count - 1]
        isDatabase = try DatabaseInput.isOne(try LogFileBlocks(path: newest), path: newest)
        for folder in Set(files.map(Self.folder)) { try watch.add(folder: folder) }
        if isDatabase {
            followers = try files.map {
                try DatabaseFollower(path: $0, location: location, selection: request.selection, last: last)
            }
            return
        }
        for file in candidates() { FileIdentity(path: file).map { known[$0] = $0.modified } }
        // Without a selection the ends of the newest files are enough.
        if let last, request.selection.isOpen { try followEnds(of: files, last: last) } else { pending = files[...] }
    }

    /// Follows the newest files, and gives of what is in them the last lines.
    private func followEnds(of files: [String], last: Int) throws {
        var left = last
        var followed: [any Follower] = []
        for file in files.reversed() where followed.count < Self.mostFiles {
            guard let follower = try open(file, last: left) else {
                // What is compressed does not grow.
                if left > 0 { followed.append(FinishedFile(try lines(of: file), name: file)) }
                if left > 0 { left -= try Self.count(try lines(of: file), upTo: left) }
                continue
            }
            left -= follower.linesFound
            followed.append(follower)
        }
        followers = followed.reversed()
    }

    private func lines(of file: String) throws -> TextChunker {
        TextChunker(try LogFileBlocks(path: file), input: location)
    }

    private static func count(_ lines: TextChunker, upTo most: Int) throws -> Int {
        var lines = lines
        var count = 0
        while count < most, let chunk = try lines.next() { count += chunk.bytes.count { $0 == 0x0A } }
        return min(count, most)
    }

    /// Whether one of the files is a database without tables: an app has opened its log and not yet committed the schema.
    private static func isBeingMade(_ files: [String]) -> Bool {
        files.contains { LogPaths.isNamedLikeDatabase($0) && EventLogReader.isEmptyDatabase(path: $0) }
    }

    /// Begins with what has come.
    private func beginWithAwaited() throws {
        let files = try filesThere()
        guard !files.isEmpty, !Self.isBeingMade(files) else { return }
        do {
            try begin(files, last: nil)
            isAwaited = false
        } catch let error as EventLogError {
            let first = firstFailure ?? .now
            firstFailure = first
            guard first.duration(to: .now) < Self.patience else { throw error }
        }
    }

    /// Opens a file that may grow; nil for one that is compressed.
    private func open(_ file: String, last: Int?) throws -> FileFollower? {
        guard try LogFileBlocks(path: file).format == .text else { return nil }
        return try FileFollower(path: file, location: location, last: last, notice: notice)
    }

    private func follow(_ file: String) throws {
        let follower = try open(file, last: nil)
        if let follower { known[follower.identity] = follower.identity.modified }
        followers.append(try follower ?? FinishedFile(lines(of: file), name: file))
    }

    func read(_ body: (LineChunk, any Follower) throws -> Bool) throws -> Bool {
        if isAwaited { try beginWithAwaited() }
        var isNew = false
        // A file that is finished comes before the one that follows it, whatever was written meanwhile.
        while true {
            for follower in followers {
                while let chunk = try follower.next() {
                    isNew = true
                    guard try body(chunk, follower) else { return true }
                }
            }
            // All that are open have been read as far as they are written.
            if followers.count > Self.mostFiles { followers.removeFirst(followers.count - Self.mostFiles) }
            guard try openPending() || findNewFiles() else { return isNew }
        }
    }

    private func openPending() throws -> Bool {
        guard let file = pending.popFirst() else { return false }
        let identity = FileIdentity(path: file)
        do { try follow(file) } catch  where FileIdentity(path: file) == nil {
            // It has another name by now, under which it is new.
            if let identity { known[identity] = nil }
        }
        return true
    }

    private func findNewFiles() throws -> Bool {
        guard !isDatabase, !isAwaited else { return false }
        let files = candidates().compactMap { file in FileIdentity(path: file).map { (path: file, identity: $0) } }
        let open = Set(followers.compactMap { ($0 as? FileFollower)?.identity })
        var isNew = false
        for (file, identity) in files where !open.contains(identity) && known[identity] != identity.modified {
            known[identity] = identity.modified
            // What is compressed was read before.
            guard !file.hasSuffix(".gz"), !file.hasSuffix(".zst") else { continue }
            do { try follow(file) } catch  where FileIdentity(path: file) != identity {
                // It has just been given another name, or has gone: the next look finds what there is.
                known[identity] = nil
                continue
            }
            isNew = true
        }
        for (_, identity) in files where open.contains(identity) { known[identity] = identity.modified }
        let present = Set(files.map(\.identity)).union(open)
        known = known.filter { present.contains($0.key) }
        return isNew
    }

    /// The files that are followed, and those that they may be rotated into.
    private func candidates() -> [String] {
        if isFolder { return (try? LogPaths.expand([path])) ?? [] }  // gone for a moment: the next look finds it
        return LogPaths.rotation(of: path)
    }
}

/// A file that does not grow.
private final class FinishedFile: Follower {
    let name: String
    let installID: String? = nil
    private var chunks: TextChunker

    init(_ chunks: TextChunker, name: String) {
        self.chunks = chunks
        self.name = name
    }

    func next() throws -> LineChunk? { try chunks.next() }
}
