internal import EventModel
internal import Foundation
internal import Primitives

/// Moves damaged files to a new folder `….damaged-1`, `….damaged-2` … next to the database, with the reason. A
/// ``FileQuota`` decides when the files are removed and counted.
enum Quarantine {
    /// The file with the reason why the other files in its folder are in quarantine.
    static let reasonName = "reason.txt"

    /// How a file gets into quarantine.
    enum Method {
        /// Another process may still write to the file.
        case copy
        case move
    }

    /// Quarantines files. Skips files that do not exist.
    ///
    /// - Returns: The new folder.
    /// - Throws: Foundation's errors.
    @discardableResult
    static func put(_ files: [String], by method: Method, reason: String, database: String) throws -> String {
        let folder = try makeFolder(database)
        // First, so that a process that is killed here leaves the reason, and the files in their original location.
        let descriptor = try PrivateFile.open(folder + "/" + reasonName, O_WRONLY | O_CREAT | O_EXCL)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data((reason + "\n").utf8))
        for file in files where FileManager.default.fileExists(atPath: file) {
            let target = folder + "/" + URL(fileURLWithPath: file).lastPathComponent
            switch method {
            case .copy: try FileManager.default.copyItem(atPath: file, toPath: target)
            case .move: try FileManager.default.moveItem(atPath: file, toPath: target)
            }
            try PrivateFile.tighten([target])
        }
        return folder
    }

    private static func makeFolder(_ database: String) throws -> String {
        // Higher than all existing numbers, so that the newest folder has the highest number.
        var number = (folders(of: database).last?.number ?? 0) + 1
        while true {
            let folder = "\(database).damaged-\(number)"
            if mkdir(folder, 0o700) == 0 { return folder }
            guard errno == EEXIST else { throw SystemError("mkdir", path: folder) }
            number += 1
        }
    }

    /// The quarantine folders of a database, by number.
    private static func folders(of database: String) -> [(path: String, number: Int)] {
        let parent = DiskOrder.folder(of: database)
        let start = (database as NSString).lastPathComponent + ".damaged-"
        // If the parent cannot be read, nothing is found or removed.
        let names = FolderNames.readable(in: parent.isEmpty ? "." : parent)
        return names.compactMap { name -> (path: String, number: Int)? in
            guard name.hasPrefix(start), let number = Int(name.dropFirst(start.count)), number > 0 else { return nil }
            let path = "\(database).damaged-\(number)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            return (path, number)
        }.sorted { $0.number < $1.number }
    }

    /// Removes the folders that exceed a quota.
    ///
    /// - Returns: How many folders were removed, and the bytes of their files.
    static func enforce(_ quota: FileQuota, on database: String, now: EventTime) -> RemovedFiles {
        let entries = folders(of: database).compactMap { folder -> QuotaEntry? in
            guard let entry = QuotaEntry(folder.path) else { return nil }
            // A moved file keeps its time; the folder has the time of the move.
            let bytes = contents(of: folder.path).reduce(Int64(0)) { $0 + $1.bytes }
            return QuotaEntry(path: folder.path, bytes: bytes, written: entry.written)
        }
        var removed = RemovedFiles()
        for entry in quota.excess(of: entries, now: now) {
            // The next call retries a folder that could not be removed.
            guard (try? FileManager.default.removeItem(atPath: entry.path)) != nil else { continue }
            removed += RemovedFiles(count: 1, bytes: entry.bytes)
        }
        return removed
    }

    private static func contents(of folder: String) -> [QuotaEntry] {
        FolderNames.readable(in: folder).compactMap { QuotaEntry(folder + "/" + $0) }
    }

    /// Removes all quarantined files, which may have discarded events, and keeps the reasons.
    static func removeContents(of database: String) {
        for folder in folders(of: database) {
            for file in contents(of: folder.path) where !file.path.hasSuffix("/" + reasonName) { unlink(file.path) }
        }
    }
}
