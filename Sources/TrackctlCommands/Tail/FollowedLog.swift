internal import CommandSupport
internal import EventQuery
internal import Foundation
internal import LogFiles

/// What somebody named to be followed: a database, a file with those that it is rotated into, a folder of such files.
final class FollowedLog {
    /// So many files are kept open; of more, the oldest ones are taken for finished.
    private static let mostFiles = 32

    /// The folders whose changes matter.
    let folders: [String]
    private let request: EventRequest
    private let path: String
    private let place: Int
    private let notice: (String) -> Void
    private var followers: [any Follower] = []
    /// Files that are read, or were there before and are not to be.
    private var known: Set<FileIdentity> = []
    private let isFolder: Bool
    private let isDatabase: Bool

    /// - Parameters:
    ///   - path: As it was typed.
    ///   - place: Its place among all inputs.
    ///   - last: How many of the lines that are there are wanted; nil for all.
    ///   - notice: Told what a reader should know.
    /// - Throws: `LogFileError`, `EventLogError`, ``CommandFailure``.
    init(
        _ path: String, place: Int, request: EventRequest, last: Int?, notice: @escaping (String) -> Void
    ) throws {
        self.path = path
        self.place = place
        self.request = request
        self.notice = notice
        let files = try LogPaths.expand([path])
        var folder: ObjCBool = false
        isFolder = FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
        folders = Array(
            Set(files.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } + (isFolder ? [path] : [])))
        let newest = files[files.count - 1]
        isDatabase = try DatabaseInput.isOne(try LogFileBlocks(path: newest), path: newest)
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
        guard !isDatabase else { return false }
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
