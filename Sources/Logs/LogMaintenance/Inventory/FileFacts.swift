internal import EventLog
internal import EventModel
internal import Foundation

/// The attributes of a file.
struct FileFacts: Hashable, Sendable {
    /// The size in bytes.
    let size: Int64
    /// The permissions, as in chmod(1).
    let permissions: UInt16
    /// The id of the owner.
    let owner: UInt32
    let isFolder: Bool
    let isRegular: Bool
    /// The modification time.
    let written: EventTime

    /// Reads the attributes; nil if the file does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        permissions = UInt16(status.st_mode & 0o7777)
        owner = UInt32(status.st_uid)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        written = EventTime(seconds: Int64(time.tv_sec)).advanced(by: .nanoseconds(time.tv_nsec))
    }
}

/// Lists folders and handles paths.
enum FolderContent {
    /// The paths in a folder, sorted; empty if it cannot be read.
    static func paths(_ folder: String) -> [String] {
        names(in: folder).map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }
    }

    /// The paths in a file's folder, including the file, sorted and in the same form: for `a.sqlite`, returns
    /// `b.jsonl` rather than `./b.jsonl`.
    static func paths(nextTo path: String) -> [String] {
        let start = path.dropLast(name(path).count)
        return names(in: folder(of: path)).map { start + $0 }
    }

    private static func names(in folder: String) -> [String] {
        FolderNames.readable(in: folder).sorted()
    }

    /// The path without trailing slashes.
    static func withoutSlash(_ path: String) -> String {
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? "/"
    }

    /// The regular files in a folder, including those of the subfolders that `isWanted` selects.
    static func files(under folder: String, in isWanted: (String) -> Bool = { _ in true }) -> [String] {
        paths(folder).flatMap { path -> [String] in
            guard let facts = FileFacts(path) else { return [] }
            if facts.isFolder { return isWanted(path) ? files(under: path) : [] }
            return facts.isRegular ? [path] : []
        }
    }

    /// The folder that contains a file.
    static func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// The last component of a path.
    static func name(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
