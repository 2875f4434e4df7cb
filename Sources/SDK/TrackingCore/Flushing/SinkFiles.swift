internal import EventLog
internal import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives

/// The files of a ``JSONLinesFileSink`` and the operations on them.
struct SinkFiles {
    let directory: URL
    let fileName: String

    init(directory: String, fileName: String) {
        self.directory = URL(fileURLWithPath: directory, isDirectory: true)
        self.fileName = fileName
    }

    /// The path of the open file.
    var open: String { directory.appendingPathComponent("\(fileName).jsonl").path }

    func finished(_ firstSeq: Int64) -> String {
        let digits = String(firstSeq)
        let padded = String(repeating: "0", count: max(0, 16 - digits.count)) + digits
        return directory.appendingPathComponent("\(fileName)-\(padded).jsonl").path
    }

    /// The open file's length in bytes; nil if there is none.
    func openLength() throws -> Int64? { try length(open) }

    func finishedLength(firstSeq: Int64) throws -> Int64? { try length(finished(firstSeq)) }

    private func length(_ path: String) throws -> Int64? { try status(path).map { Int64($0.st_size) } }

    /// A file's number in its file system; nil if there is none.
    func number(of path: String) throws -> UInt64? { try status(path).map { UInt64($0.st_ino) } }

    private func status(_ path: String) throws -> stat? {
        var status = stat()
        if lstat(path, &status) == 0 { return status }
        guard errno == ENOENT else { throw SystemError("lstat", path: path) }
        return nil
    }

    /// The number of the open file's first event; nil if its first line isn't a container.
    func openFirstSeq() throws -> Int64? {
        guard let head = try Self.head(of: open, TrackingContainer.maximumLineLength + 1),
            let end = head.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return JSONValue(validating: head[..<end])?[.seq]?.integerValue
    }

    /// Whether the open file starts with this line, or with a truncated part of it.
    func openFileStarts(like line: [UInt8]) throws -> Bool {
        guard let head = try Self.head(of: open, line.count) else { return false }
        return line.starts(with: head)
    }

    /// The start of a file; nil if there is none, or a folder has its name. Any other error is thrown: an intact file
    /// can't be read while the process has too many files open, the disk reports errors, or the device is locked.
    static func head(of path: String, _ count: Int) throws -> Data? {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError("open", path: path)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path: path) }
        guard status.st_mode & S_IFMT != S_IFDIR else { return nil }
        return try handle.read(upToCount: count) ?? Data()
    }

    /// Creates an empty open file. Replaces an existing one.
    func create() throws -> FileHandle {
        // Truncate only a file that is known to be this sink's.
        let descriptor = try PrivateFile.open(open, O_WRONLY | O_CREAT)
        guard ftruncate(descriptor, 0) == 0 else {
            defer { close(descriptor) }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try SystemCalls().syncFolder(directory.path)
        return handle
    }

    /// Opens the open file for appending, truncated to a length.
    func reopen(length: Int64) throws -> FileHandle {
        let handle = FileHandle(fileDescriptor: try PrivateFile.open(open, O_WRONLY), closeOnDealloc: true)
        try handle.truncate(atOffset: UInt64(length))
        try handle.seekToEnd()
        return handle
    }

    /// Gives the open file its final name.
    func finish(firstSeq: Int64) throws {
        try setAside(finished(firstSeq))  // this sink has no file at that path
        try SystemCalls().publish(open, as: finished(firstSeq))
    }

    /// Renames the open file if it exists and is not empty.
    func setAside() throws { try setAside(open) }

    private func setAside(_ path: String) throws {
        guard let length = try length(path), length > 0 else { return }
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
        guard rename(path, "\(path).damaged-\(number)") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Whether an open file still has this path.
    static func isNamed(_ handle: FileHandle, _ path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(handle.fileDescriptor, &opened) == 0 && lstat(path, &named) == 0
            && (opened.st_dev, opened.st_ino) == (named.st_dev, named.st_ino)
    }

    /// Removes finished files before a given one, and files that were set aside, if the quota does not keep them.
    func enforce(_ quota: FileQuota, before firstSeq: Int64, now: EventTime) -> RemovedFiles {
        // If the folder can't be listed, nothing is removed.
        let names = FolderNames.readable(in: directory.path)
        let entries = names.filter { isRemovable($0, before: firstSeq) }.compactMap {
            QuotaEntry(directory.appendingPathComponent($0).path)
        }
        var removed = RemovedFiles()
        // Files that can't be removed are retried next time.
        for entry in quota.excess(of: entries, now: now) where unlink(entry.path) == 0 {
            removed += RemovedFiles(count: 1, bytes: entry.bytes)
        }
        return removed
    }

    /// Whether a file is a finished one before a number, compressed or not, or was set aside.
    func isRemovable(_ name: String, before firstSeq: Int64) -> Bool {
        guard name.hasPrefix(fileName) else { return false }
        // Compares characters: a file system may store an accent with other bytes than the name that was passed.
        var rest = name.dropFirst(fileName.count).utf8
        var seq: Int64?
        if rest.first == UInt8(ascii: "-") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard (16...18).contains(digits.count) else { return false }
            seq = Int64(Substring(digits))
            rest = rest[digits.endIndex...]
        }
        let ending = Substring(rest)
        if [".jsonl", ".jsonl.gz", ".jsonl.zst"].contains(ending) { return seq.map { $0 < firstSeq } ?? false }
        let mark = ".jsonl.damaged-"
        let number = ending.utf8.dropFirst(mark.utf8.count)
        return ending.hasPrefix(mark) && !number.isEmpty
            && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
