internal import EventModel
internal import Foundation

/// Puts damaged files aside, with the reason: into a new folder `….damaged-1`, `….damaged-2` … beside the database.
/// What they hold goes when a ``FileQuota`` says so, and is counted then.
enum Quarantine {
    /// The file that says why the others in its folder were put aside.
    static let reasonName = "reason.txt"

    /// How a file gets there.
    enum Way {
        /// Somebody may still be writing it.
        case copy
        case move
    }

    /// Puts files aside. A file that is not there is left out.
    ///
    /// - Returns: The new folder.
    /// - Throws: Foundation's errors.
    @discardableResult
    static func put(_ files: [String], by way: Way, reason: String, database: String) throws -> String {
        let folder = try makeFolder(database)
        // First: whoever ends on the way leaves the reason, and the files where they are.
        let descriptor = try PrivateFile.open(folder + "/" + reasonName, O_WRONLY | O_CREAT | O_EXCL)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data((reason + "\n").utf8))
        for file in files where FileManager.default.fileExists(atPath: file) {
            let target = folder + "/" + URL(fileURLWithPath: file).lastPathComponent
            switch way {
            case .copy: try FileManager.default.copyItem(atPath: file, toPath: target)
            case .move: try FileManager.default.moveItem(atPath: file, toPath: target)
            }
            try PrivateFile.tighten([target])
        }
        return folder
    }

    private static func makeFolder(_ database: String) throws -> String {
        // Higher than any that is there: the newest has the highest number.
        var number = (folders(of: database).last?.number ?? 0) + 1
        while true {
            let folder = "\(database).damaged-\(number)"
            if mkdir(folder, 0o700) == 0 { return folder }
            guard errno == EEXIST else { throw SystemError("mkdir", path: folder) }
            number += 1
        }
    }

    /// The folders of a database, by number.
    private static func folders(of database: String) -> [(path: String, number: Int)] {
        let parent = DiskOrder.folder(of: database)
        let start = (database as NSString).lastPathComponent + ".damaged-"
        // Without it nothing is found, and so nothing is removed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
        return names.compactMap { name -> (path: String, number: Int)? in
            guard name.hasPrefix(start), let number = Int(name.dropFirst(start.count)), number > 0 else { return nil }
            let path = "\(database).damaged-\(number)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            return (path, number)
        }.sorted { $0.number < $1.number }
    }

    /// Removes what a quota does not keep.
    ///
    /// - Returns: How many folders went, with the bytes of their files.
    static func enforce(_ quota: FileQuota, on database: String, now: EventTime) -> RemovedFiles {
        let entries = folders(of: database).compactMap { folder -> QuotaEntry? in
            guard let entry = QuotaEntry(folder.path) else { return nil }
            // A file that was moved here keeps its time; the folder has that of the moving.
            let bytes = contents(of: folder.path).reduce(Int64(0)) { $0 + $1.bytes }
            return QuotaEntry(path: folder.path, bytes: bytes, written: entry.written)
        }
        var removed = RemovedFiles()
        for entry in quota.excess(of: entries, now: now) {
            // What can't be removed is tried again.
            guard (try? FileManager.default.removeItem(atPath: entry.path)) != nil else { continue }
            removed += RemovedFiles(count: 1, bytes: entry.bytes)
        }
        return removed
    }

    private static func contents(of folder: String) -> [QuotaEntry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // gone, or closed to us
        return names.compactMap { QuotaEntry(folder + "/" + $0) }
    }

    /// Removes all files that were put aside, and leaves the reasons: they may hold events that were discarded.
    static func removeContents(of database: String) {
        for folder in folders(of: database) {
            for file in contents(of: folder.path) where !file.path.hasSuffix("/" + reasonName) { unlink(file.path) }
        }
    }
}
