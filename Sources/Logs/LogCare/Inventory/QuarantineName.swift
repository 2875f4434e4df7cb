internal import EventLog
internal import EventModel

/// What the names say of files that a log has put aside as damaged.
enum QuarantineName {
    /// Whether a folder has the name of one that such files are put into.
    static func isFolder(_ path: String) -> Bool { path.contains(/\.damaged-\d+$/) }

    /// Whether a file is a writer's ring.
    static func isRing(_ path: String) -> Bool { FolderContent.name(path).hasPrefix("writer-") }

    /// Whether a file is a database, a log's or not.
    static func isDatabase(_ path: String) -> Bool { DatabaseHeader(path: path) != nil || isNamedAsLog(path) }

    /// Whether a file is a log's database, as far as can be told of a damaged one. One without a byte is none.
    static func isLog(_ path: String) -> Bool {
        guard parts(of: path).contains(where: { (FileFacts($0)?.size ?? 0) > 0 }) else { return false }
        return isNamedAsLog(path) || DatabaseHeader(path: path)?.owner == .eventLog
    }

    /// By its name, which is its folder's: its first page may be damaged.
    private static func isNamedAsLog(_ path: String) -> Bool {
        FolderContent.name(FolderContent.folder(of: path)).hasPrefix(FolderContent.name(path) + ".damaged-")
    }

    /// The database beside which a file stands by its name; any other file itself.
    static func owner(_ path: String) -> String {
        guard let end = path.firstMatch(of: /(?:\.erased|\.erasing|\.salvage-copy)?(?:-wal|-shm|-journal)?$/) else {
            return path
        }
        return String(path[..<end.range.lowerBound])
    }

    /// A database and what may stand beside it.
    static func parts(of path: String) -> [String] {
        ["", "-wal", "-shm", "-journal", QuarantinedFile.finishedSuffix].map { path + $0 }
    }
}
