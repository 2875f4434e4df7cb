internal import EventLog
internal import EventQuery
internal import Foundation
internal import LogFiles

/// Follows a path: a database, a file with its rotated files, or a folder of such files. The path may not exist yet
/// if its folder does.
final class FollowedLog: FollowedInput {
    /// The maximum number of open files. If there are more, the oldest are treated as finished.
    private static let mostFiles = 32
    /// How long to assume that a new log cannot be opened because it is still being created. Each change of the folder
    /// triggers a retry, so a number of retries would not be a useful limit.
    private static let patience = Duration.seconds(10)

    private let request: EventRequest
    private let path: String
    private let location: Int
    private let watch: FolderWatch
    private let notice: (String) -> Void
    private var followers: [any Follower] = []
    /// Existing files that have not been opened yet, oldest first.
    private var pending: ArraySlice<String> = []
    /// Files that were read or are to be skipped, with their modification time: the system may reuse the number of a
    /// deleted file.
    private var known: [FileIdentity: Int64] = [:]
    private var isDatabase = false
    private var isAwaited = false
    /// The file to read in the folder; nil to read all files.
    private var choice: String?
    private var firstFailure: ContinuousClock.Instant?

    /// - Parameters:
    /// - path: The path as given.
    /// - location: The input's index.
    /// - last: The number of existing lines to read; nil for all.
    /// - watch: Watches the folders. Folders are added before their files are read.
    /// - notice: Called with messages for the user.
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
        notice("\(path) has no events yet: waiting")
    }

    private var isFolder: Bool { Self.isFolder(path) }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The files to follow; empty if they may appear later.
    private func filesThere() throws -> [String] {
        do {
            let files = try LogPaths.expand([path]) { choice = $0 }
            guard files == [path], FileIdentity(path: path) == nil, Self.isFolder(Self.folder(of: path)) else {
                return files
            }
            return []
        } catch let error as LogFileError where error.code == .notFound && isFolder {
            return []
        }
    }

    private func begin(_ files: [String], last: Int?) throws {
        choice.map(notice)
        choice = nil
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
        // Without a selection, the ends of the newest files are sufficient.
        if let last, request.selection.isOpen { try followEnds(of: files, last: last) } else { pending = files[...] }
    }

    /// Follows the newest files, starting with their last lines.
    private func followEnds(of files: [String], last: Int) throws {
        var left = last
        var followed: [any Follower] = []
        for file in files.reversed() where followed.count < Self.mostFiles {
            guard let follower = try open(file, last: left) else {
                // Compressed files do not grow.
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

    /// Whether a file is a database without tables: an app has created its log but not yet committed the schema.
    private static func isBeingMade(_ files: [String]) -> Bool {
        files.contains { LogPaths.isNamedLikeDatabase($0) && EventLogReader.isEmptyDatabase(path: $0) }
    }

    /// Starts following if the files have appeared.
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

    /// Opens a file that may grow; nil for a compressed file.
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
        // Read a finished file before its successor, whatever was written meanwhile.
        while true {
            for follower in followers {
                while let chunk = try follower.next() {
                    isNew = true
                    guard try body(chunk, follower) else { return true }
                }
            }
            // All open files have been read to their current end.
            if followers.count > Self.mostFiles { followers.removeFirst(followers.count - Self.mostFiles) }
            guard try openPending() || findNewFiles() else { return isNew }
        }
    }

    private func openPending() throws -> Bool {
        guard let file = pending.popFirst() else { return false }
        let identity = FileIdentity(path: file)
        do { try follow(file) } catch  where FileIdentity(path: file) == nil {
            // The file was renamed meanwhile, and is found under its new name.
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
            // Compressed files were read before.
            guard !file.hasSuffix(".gz"), !file.hasSuffix(".zst") else { continue }
            do { try follow(file) } catch  where FileIdentity(path: file) != identity {
                // The file was just renamed or deleted. The next scan finds the current state.
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

    /// The followed files, and those that they may be rotated to.
    private func candidates() -> [String] {
        if isFolder { return (try? LogPaths.expand([path])) ?? [] }  // missing for a moment: the next scan finds it
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
