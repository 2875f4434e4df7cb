internal import CommandSupport
internal import EventLog
internal import EventQuery
internal import Foundation
internal import LogFiles

/// What somebody named to be followed: a database, a file with those that it is rotated into, a folder of such files. It
/// may come later, if its folder is there.
final class FollowedLog {
    /// So many files are kept open; of more, the oldest ones are taken for finished.
    private static let mostFiles = 32
    /// A log that is just being made cannot be read at first: how often that is taken for the reason.
    private static let mostAttempts = 20

    private let request: EventRequest
    private let path: String
    private let place: Int
    private let watch: FolderWatch
    private let notice: (String) -> Void
    private var followers: [any Follower] = []
    /// Files that are read, or were there before and are not to be.
    private var known: Set<FileIdentity> = []
    private var isDatabase = false
    private var isAwaited = false
    private var failedAttempts = 0

    /// - Parameters:
    ///   - path: As it was typed.
    ///   - place: Its place among all inputs.
    ///   - last: How many of the lines that are there are wanted; nil for all.
    ///   - watch: Is told of the folders whose changes matter, before the files are read.
    ///   - notice: Told what a reader should know.
    /// - Throws: `LogFileError`, `EventLogError`, ``CommandFailure``.
    init(
        _ path: String, place: Int, request: EventRequest, last: Int?, watch: FolderWatch,
        notice: @escaping (String) -> Void
    ) throws {
        self.path = path
        self.place = place
        self.request = request
        self.watch = watch
        self.notice = notice
        if isFolder { try watch.add(folder: path) }
        let files = try filesThere()
        guard files.isEmpty else {
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
                try DatabaseFollower(path: $0, place: place, selection: request.selection, last: last)
            }
            return
        }
        // Without a selection the end of the newest file is enough.
        let isEnough = last != nil && request.selection.isOpen
        for file in isEnough ? [newest] : files { try follow(file, last: isEnough ? last : nil) }
        known.formUnion(candidates().compactMap { FileIdentity(path: $0) })
    }

    /// Begins with what has come. A database is empty before it is one.
    private func beginWithAwaited() throws {
        let files = try filesThere()
        let isEmpty = files.contains { LogPaths.isNamedLikeDatabase($0) && FileIdentity(path: $0)?.length == 0 }
        guard !files.isEmpty, !isEmpty else { return }
        do {
            try begin(files, last: nil)
            isAwaited = false
        } catch is EventLogError where failedAttempts < Self.mostAttempts {
            failedAttempts += 1
        }
    }

    private func follow(_ file: String, last: Int?) throws {
        let blocks = try LogFileBlocks(path: file)
        if blocks.format == .text {
            let follower = try FileFollower(path: file, place: place, last: last, notice: notice)
            known.insert(follower.identity)
            followers.append(follower)
        } else {
            // What is compressed does not grow.
            followers.append(FinishedFile(TextChunker(blocks, input: place), name: file))
        }
        if followers.count > Self.mostFiles { followers.removeFirst() }
    }

    /// Shows everything new, until `body` answers false.
    ///
    /// - Returns: Whether there was anything.
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
            guard try findNewFiles() else { return isNew }
        }
    }

    private func findNewFiles() throws -> Bool {
        guard !isDatabase, !isAwaited else { return false }
        var isNew = false
        let files = candidates()
        for file in files {
            guard let identity = FileIdentity(path: file), !known.contains(identity) else { continue }
            known.insert(identity)
            // What is compressed was read before.
            guard !file.hasSuffix(".gz"), !file.hasSuffix(".zst") else { continue }
            try follow(file, last: nil)
            isNew = true
        }
        // The system may give the number of a file that has gone to the next one.
        let open = followers.compactMap { ($0 as? FileFollower)?.identity }
        known.formIntersection(Set(files.compactMap { FileIdentity(path: $0) }).union(open))
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
