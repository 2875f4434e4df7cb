internal import EventLog
internal import EventModel
internal import Foundation

/// The files of a log, or of all logs in a folder.
package struct LogInventory: Sendable {
    /// The path as given.
    package let path: String
    /// The folder, or the folder that contains the file.
    package let folder: String
    package let isFolder: Bool
    package private(set) var databases: [String] = []
    /// Files of JSON lines, with the files of a series in the order of their events.
    package private(set) var lineFiles: [LineFile] = []
    /// Folders of damaged files that a log has moved aside.
    package private(set) var quarantines: [String] = []
    /// Working copies of interrupted rebuilds or erasures.
    package private(set) var leftovers: [String] = []
    /// Databases of other programs, and unrelated files.
    package private(set) var others: [String] = []

    /// The part of a log's folder to include.
    package enum Scope: Sendable {
        /// The files that belong to the log by their names.
        case log
        /// All files in the folder.
        case folder
    }

    /// Lists the files of a database, a file of lines, or a folder without its subfolders.
    ///
    /// - Throws: ``LogMaintenanceError``: `notFound`.
    package init(_ path: String, scope: Scope = .log) throws {
        guard let facts = FileFacts(path) ?? FileFacts(JournalExamination.folder(of: path)) else {
            throw LogMaintenanceError(.notFound, "cannot open \(path): no such file; check the path")
        }
        isFolder = facts.isFolder && FileFacts(path) != nil
        self.path = path
        folder = isFolder ? FolderContent.withoutSlash(path) : FolderContent.folder(of: path)
        if isFolder || scope == .folder {
            for path in FolderContent.paths(folder) { sort(path) }
        } else if DatabaseHeader(path: path) != nil || Self.isLog(path) {
            databases = [path]
            let name = FolderContent.name(path)
            for path in FolderContent.paths(nextTo: path) where FolderContent.name(path).hasPrefix(name + ".") {
                sort(path)
            }
        } else {
            lineFiles = [LineFile(path: path) ?? LineFile(unnamed: path)]
        }
        order()
    }

    /// Adds the files of the series that a log's sinks write to its folder.
    mutating func add(series: Set<String>) {
        let known = Set(lineFiles.map(\.path))
        lineFiles += (isFolder ? FolderContent.paths(folder) : FolderContent.paths(nextTo: path))
            .compactMap { LineFile(path: $0) }
            .filter { series.contains($0.series) && !known.contains($0.path) }
        order()
    }

    /// Removes empty databases that are not logs.
    ///
    /// - Throws: ``/EventLog/EventLogError``: `newerVersion`, `cannotOpen`, `io`.
    mutating func keepLogs() throws {
        for path in databases where try !Self.holdsLog(path) {
            databases.removeAll { $0 == path }
            others += Self.parts(of: path)
        }
    }

    /// Whether a file is a log, intact or damaged, by its content.
    private static func holdsLog(_ path: String) throws -> Bool {
        guard FileFacts(JournalExamination.folder(of: path)) == nil, FileFacts(path + ".salvaged") == nil else {
            return true
        }
        do {
            _ = try DatabaseExamination(path: path)
            return true
        } catch let error as EventLogError where error.code == .corrupt {
            return true
        } catch let error as EventLogError where error.code == .notAnEventLog || error.code == .notFound {
            return false
        }
    }

    private mutating func order() {
        lineFiles.sort { ($0.series, $0.position, $0.path) < ($1.series, $1.position, $1.path) }
    }

    private mutating func sort(_ path: String) {
        let name = FolderContent.name(path)
        // Skip pipes and other special files: opening them could block.
        guard let facts = FileFacts(path), facts.isFolder || facts.isRegular else { return }
        if facts.isFolder {
            if QuarantineName.isFolder(name) { quarantines.append(path) }
            // A journal without its database is what remains of a log.
            if name.hasSuffix(".journal"), Self.isLog(String(path.dropLast(".journal".count))) {
                add(database: String(path.dropLast(".journal".count)))
            }
        } else if name.contains(/\.(?:salvage-draft|salvage-copy|erasing)(?:-wal|-shm|-journal)?$/) {
            leftovers.append(path)
        } else if name.hasSuffix(".salvaged") {
            // A completed rebuild, which replaces the log when it is opened next.
            add(database: String(path.dropLast(".salvaged".count)))
        } else if let file = LineFile(path: path) {
            lineFiles.append(file)
        } else if name.hasSuffix("-wal") || name.hasSuffix("-shm") {
            if FileFacts(String(path.dropLast(4))) == nil { others.append(path) }
        } else if Self.isLog(path) {
            add(database: path)
        } else {
            others.append(path)
        }
    }

    private mutating func add(database path: String) {
        if !databases.contains(path) { databases.append(path) }
    }

    /// Whether a file is an event log, or was one.
    private static func isLog(_ path: String) -> Bool {
        if let header = DatabaseHeader(path: path) { return header.owner != .other }
        if FileFacts(JournalExamination.folder(of: path))?.isFolder == true { return true }
        // The header is damaged, so the name decides.
        return [".sqlite", ".sqlite3", ".db"].contains { path.lowercased().hasSuffix($0) }
            && (FileFacts(path)?.size ?? 0) > 0
    }

    /// The files of a database: itself, and those that SQLite keeps next to it.
    package static func parts(of database: String) -> [String] {
        ["", "-wal", "-shm"].map { database + $0 }.filter { FileFacts($0) != nil }
    }
}

/// Checks whether a process has a log of a folder open, and may be writing files of lines next to it.
enum LivingWriters {
    private static let suffix = ".journal"

    /// Whether there is such a process, or this cannot be determined.
    static func exist(in folder: String) -> Bool {
        FolderContent.paths(folder).contains { path in
            guard path.hasSuffix(suffix), FileFacts(path)?.isFolder == true else { return false }
            // Without permission to check, assume that there is one.
            guard access(path, R_OK | X_OK) == 0 else { return true }
            do {
                let journals = try JournalExamination(
                    database: String(path.dropLast(suffix.count)), after: EventRecord.highestSeq)
                return journals?.rings.contains { $0.isAlive || $0.newerVersion != nil } ?? false
            } catch {
                return true
            }
        }
    }
}
