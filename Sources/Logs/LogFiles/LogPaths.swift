internal import Foundation

/// Expands files, folders and patterns on the command line.
package enum LogPaths {
    /// The files, in reading order.
    ///
    /// A folder expands to the files of JSON lines in it and its subfolders, with the files of a log in rotation
    /// order, or, if there are none, to its databases. A tracker's folder expands to its database; see
    /// ``TrackerFolder``. A pattern (glob(3)) expands to its matches, in the same order. Everything else stays
    /// unchanged: `-`, and paths that don't exist.
    ///
    /// - Parameter notice: Called with a message for each folder with further files that were not chosen.
    /// - Throws: ``LogFileError``: `notFound` for a folder without logs or a pattern without matches, `cannotRead`,
    ///   `ambiguous` for any other folder with both a database and lines, which may be the same events.
    package static func expand(_ paths: [String], notice: (String) -> Void = { _ in }) throws -> [String] {
        try paths.flatMap { try files($0, notice) }
    }

    private static func files(_ path: String, _ notice: (String) -> Void) throws -> [String] {
        if path == "-" { return [path] }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            return isFolder.boolValue ? try logs(in: path, notice) : [path]
        }
        guard path.contains(where: { "*?[".contains($0) }) else { return [path] }
        let matches = matches(path)
        guard !matches.isEmpty else {
            throw LogFileError(.notFound, "no file matches \(path): check the pattern")
        }
        return try ordered(matches).flatMap { try files($0, notice) }
    }

    /// A file and its rotated files in the same folder, oldest first.
    package static func rotation(of path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let name = url.lastPathComponent
        let log = RotatedName(name)
        let prefix = path.dropLast(name.count)
        // A folder that cannot be listed gives no files; only whether it is missing or unreadable is lost.
        let others = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        return ordered(
            others.filter { other in
                other == name || (log.flatMap { log in RotatedName(other)?.isRotation(of: log) } ?? false)
            }.map { prefix + $0 })
    }

    private static func matches(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in found.gl_pathv[index].map { String(cString: $0) } }
    }

    private static func logs(in folder: String, _ notice: (String) -> Void) throws -> [String] {
        guard let contents = FileManager.default.enumerator(atPath: folder) else {
            throw LogFileError(.cannotRead, "cannot read the folder \(folder): check its permissions")
        }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        let names = contents.compactMap { $0 as? String }.filter { name in
            !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        let lines = ordered(withoutTwins(names.filter { RotatedName($0) != nil }))
        let databases = names.filter(isNamedLikeDatabase).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard lines.isEmpty || databases.isEmpty else {
            let isMarked = names.contains("tracking.json")
            if let tracker = TrackerFolder(databases: databases, lines: lines, isMarked: isMarked) {
                notice(tracker.notice(prefix: prefix))
                return [prefix + tracker.database]
            }
            throw LogFileError(
                .ambiguous,
                """
                \(folder) has both databases and files of lines, which may hold the same events: pass \
                \(prefix)\(databases[0]), or the files with a pattern such as '\(prefix)*.jsonl'
                """)
        }
        guard !(lines + databases).isEmpty else {
            throw LogFileError(
                .notFound, "no .jsonl or .sqlite files in \(folder): pass another folder")
        }
        return (lines + databases).map { prefix + $0 }
    }

    /// Whether a file has a database's extension.
    package static func isNamedLikeDatabase(_ path: String) -> Bool {
        [".sqlite", ".sqlite3", ".db"].contains { path.lowercased().hasSuffix($0) }
    }

    /// Excludes compressed files whose uncompressed originals still exist.
    private static func withoutTwins(_ names: [String]) -> [String] {
        let all = Set(names)
        return names.filter { name in
            RotatedName(name).map { !$0.isCompressed || !all.contains($0.uncompressed) } ?? true
        }
    }

    private static func ordered(_ paths: [String]) -> [String] {
        paths.map { (path: $0, name: RotatedName($0)) }
            .sorted { left, right in
                if let first = left.name, let second = right.name {
                    if first < second { return true }
                    if second < first { return false }
                }
                // Also of two names of the same age, such as "a.jsonl.1" and "a.jsonl.01": not in the order of a directory.
                return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
            }
            .map(\.path)
    }
}
