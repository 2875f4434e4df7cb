internal import LogFiles

/// A file of JSON lines, classified by its name.
package struct LineFile: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        /// The file of a series that is being written.
        case open
        /// A finished file of a series. Files with lower positions are older.
        case finished(position: Int64)
        /// A damaged file that a sink has moved aside.
        case setAside
        /// Events that a collector or a check has rejected.
        case deadLetters
        /// A recording of actions.
        case recording
        /// An unfinished file.
        case partial
    }

    package let path: String
    package let role: Role
    /// The name that the files of the series share.
    package let series: String
    /// The path of the uncompressed original; nil unless the name has a compression's extension.
    package let unpackedPath: String?

    /// Classifies a path; nil if the name is not that of a file of lines.
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
            role = isPartial ? .partial : .setAside
            series = name.base
            unpackedPath = nil
        } else {
            (role, series) = Self.role(name)
            unpackedPath = name.isCompressed ? String(path.dropLast(packing)) : nil
        }
    }

    /// A file with any name, which the user passed as a file of lines.
    init(unnamed path: String) {
        self.path = path
        role = .open
        series = FolderContent.name(path)
        unpackedPath = nil
    }

    private static func role(_ name: RotatedName) -> (Role, String) {
        let base = name.base
        // Rotated or not, these files hold no delivered events.
        if base.hasSuffix(".dlq") || base.hasSuffix(".rejects") { return (.deadLetters, base) }
        if base == "actions" || base.hasSuffix(".actions") { return (.recording, base) }
        if let match = base.wholeMatch(of: /(.*)-(\d{16,18})/), let first = Int64(match.2) {
            return (.finished(position: first), String(match.1))
        }
        if let number = name.number { return (.finished(position: -Int64(number)), base) }
        return (name.date.isEmpty ? .open : .finished(position: position(ofDate: name.date)), base)
    }

    /// The position of a date. Dates are below rotation numbers, which are negative because the highest is the oldest,
    /// and below the numbers of first events.
    private static func position(ofDate date: String) -> Int64 {
        let digits = date.filter(\.isNumber).prefix(dateDigits)
        let padded = digits + String(repeating: "0", count: dateDigits - digits.count)
        return Int64.min + (Int64(padded) ?? 0)
    }

    /// Enough for a date with a time.
    private static let dateDigits = 17

    /// Whether the file holds events that a sink delivers.
    var isDelivered: Bool {
        switch role {
        case .open, .finished: true
        default: false
        }
    }

    /// Whether a process with an open log in the folder may be writing the file.
    var mayBeWritten: Bool {
        switch role {
        case .open, .recording, .deadLetters: true
        case .finished, .setAside, .partial: false
        }
    }

    /// The position in the series.
    var position: Int64 {
        if case .finished(let position) = role { position } else { .max }
    }
}

/// Classifies damaged files that a log has moved aside, by their names.
enum QuarantineName {
    /// Whether a folder has the name of one for damaged files.
    static func isFolder(_ path: String) -> Bool { path.contains(/\.damaged-\d+$/) }

    static func isRing(_ path: String) -> Bool { FolderContent.name(path).hasPrefix("writer-") }

    /// Whether a file is a database, of a log or another program.
    static func isDatabase(_ path: String) -> Bool { DatabaseHeader(path: path) != nil || isNamedAsLog(path) }

    /// Whether a file is a log's database, as far as this can be determined for a damaged file. Empty files are not.
    static func isLog(_ path: String) -> Bool {
        guard parts(of: path).contains(where: { (FileFacts($0)?.size ?? 0) > 0 }) else { return false }
        return isNamedAsLog(path) || DatabaseHeader(path: path)?.owner == .eventLog
    }

    /// Whether the file has the name of its folder's log: its first page may be damaged.
    private static func isNamedAsLog(_ path: String) -> Bool {
        FolderContent.name(FolderContent.folder(of: path)).hasPrefix(FolderContent.name(path) + ".damaged-")
    }

    /// The database that a file belongs to, by its name; other files belong to themselves.
    static func owner(_ path: String) -> String {
        guard let end = path.firstMatch(of: /(?:\.erased|\.erasing|\.salvage-copy)?(?:-wal|-shm|-journal)?$/) else {
            return path
        }
        return String(path[..<end.range.lowerBound])
    }

    /// A database and the files that may be next to it.
    static func parts(of path: String) -> [String] {
        ["", "-wal", "-shm", "-journal", QuarantinedFile.finishedSuffix].map { path + $0 }
    }
}
