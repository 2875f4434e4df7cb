internal import LogFiles

/// A file of JSON lines, told by its name.
package struct LineFile: Hashable, Sendable {
    /// What it is for.
    package enum Role: Hashable, Sendable {
        /// The file of a series that is being written.
        case open
        /// A finished file of a series, by its place in it: those with lower places were written earlier.
        case finished(location: Int64)
        /// What a sink has put aside as damaged.
        case setAside
        /// What a collector or a check has refused.
        case deadLetters
        /// A recording of actions.
        case recording
        /// A file that was never finished.
        case partial
    }

    /// Where it stands.
    package let path: String
    /// What it is for.
    package let role: Role
    /// The name that the files of its series share.
    package let series: String
    /// Where the file stood that it was packed from; nil for one that is not packed, by its name.
    package let unpackedPath: String?

    /// Reads a name; nil for one that no file of lines has.
    package init?(path: String) {
        self.path = path
        var text = FolderContent.name(path)
        let isPartial = text.hasSuffix(".partial")
        if isPartial { text.removeLast(".partial".count) }
        if isPartial, text.hasSuffix(".resume") { text.removeLast(".resume".count) }
        let aside = text.firstMatch(of: /\.(?:damaged|torn)-\d+$/)
        if let aside { text.removeSubrange(aside.range) }
        guard let name = RotatedName(text) else { return nil }
        let packing = text.count - name.uncompressed.count
        if isPartial || aside != nil {
            (role, series, unpackedPath) = (isPartial ? .partial : .setAside, name.base, nil)
        } else {
            (role, series) = Self.role(name)
            unpackedPath = name.isCompressed ? String(path.dropLast(packing)) : nil
        }
    }

    /// A file of any name that somebody says holds lines.
    init(unnamed path: String) {
        self.path = path
        (role, series, unpackedPath) = (.open, FolderContent.name(path), nil)
    }

    private static func role(_ name: RotatedName) -> (Role, String) {
        let base = name.base
        // However they are rotated: their lines are no events that were delivered.
        if base.hasSuffix(".dlq") || base.hasSuffix(".rejects") { return (.deadLetters, base) }
        if base == "actions" || base.hasSuffix(".actions") { return (.recording, base) }
        if let match = base.wholeMatch(of: /(.*)-(\d{16,18})/), let first = Int64(match.2) {
            return (.finished(location: first), String(match.1))
        }
        if let number = name.number { return (.finished(location: -Int64(number)), base) }
        return (name.date.isEmpty ? .open : .finished(location: location(ofDate: name.date)), base)
    }

    /// Dates lie below all numbers, the highest of which is the oldest, and those below the first event of a file.
    private static func location(ofDate date: String) -> Int64 {
        let digits = date.filter(\.isNumber).prefix(dateDigits)
        let padded = digits + String(repeating: "0", count: dateDigits - digits.count)
        return Int64.min + (Int64(padded) ?? 0)
    }

    /// Enough for a date and a time of day, whichever of them a name has.
    private static let dateDigits = 17

    /// Whether it belongs to the events that a sink delivers.
    var isDelivered: Bool {
        switch role {
        case .open, .finished: true
        default: false
        }
    }

    /// Whether somebody who has a log beside it open may be writing it.
    var mayBeWritten: Bool {
        switch role {
        case .open, .recording, .deadLetters: true
        case .finished, .setAside, .partial: false
        }
    }

    /// Its place in its series.
    var location: Int64 {
        if case .finished(let location) = role { location } else { .max }
    }
}

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
