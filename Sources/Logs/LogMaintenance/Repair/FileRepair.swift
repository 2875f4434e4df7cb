internal import Foundation
internal import LogFiles

/// Repairs files of lines.
enum FileRepair {
    /// Moves the bytes after the last line feed of a plain file into a new file, `….torn-1`, `-2` and so on. If
    /// killed halfway, the bytes are in both files.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    static func cutTornLine(_ path: String) throws -> [RepairStep] {
        let file = try writable(path)
        let length = try file.seekToEnd()
        let start = try lineStart(file, length)
        // Another process has completed the line meanwhile.
        guard start < length else { return [] }
        guard !LivingWriters.exist(in: FolderContent.folder(of: path)) else { return [unchanged(path)] }
        let aside = freeName(path + ".torn-")
        let descriptor = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFileError.writing(aside) }
        let torn = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.seek(toOffset: start)
            while let block = try file.read(upToCount: 1 << 16), !block.isEmpty { try torn.write(contentsOf: block) }
            try torn.synchronize()
        } catch {
            unlink(aside)
            throw LogFileError.writing(aside)
        }
        try FileNames.sync(folderOf: aside)
        guard try file.seekToEnd() == length else {
            unlink(aside)
            return [unchanged(path)]
        }
        guard ftruncate(file.fileDescriptor, off_t(start)) == 0, fsync(file.fileDescriptor) == 0 else {
            throw LogFileError.writing(path)
        }
        return [
            RepairStep(location: path, message: "moved its last \(length - start) bytes, a torn line, to \(aside)")
        ]
    }

    /// Adds a missing final line feed to a plain file whose last line is complete.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    static func endLastLine(_ file: LineFile) throws -> [RepairStep] {
        let handle = try writable(file.path)
        let length = try handle.seekToEnd()
        let start = try lineStart(handle, length)
        guard start < length else { return [] }
        try handle.seek(toOffset: start)
        let line = try handle.read(upToCount: LogFileReader.maximumLineLength) ?? Data()
        // Otherwise, another process is still writing it.
        guard file.isWhole(Array(line)), !LivingWriters.exist(in: FolderContent.folder(of: file.path)),
            try handle.seekToEnd() == length
        else { return [unchanged(file.path)] }
        do {
            try handle.write(contentsOf: Data("\n".utf8))
            try handle.synchronize()
        } catch {
            throw LogFileError.writing(file.path)
        }
        return [RepairStep(location: file.path, message: "added the final line feed")]
    }

    private static func unchanged(_ path: String) -> RepairStep {
        RepairStep(location: path, message: "unchanged: a process is writing it, or may be")
    }

    private static func writable(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError.writing(path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The offset after the last line feed.
    private static func lineStart(_ file: FileHandle, _ length: UInt64) throws -> UInt64 {
        var end = length
        while end > 0 {
            let start = end > 1 << 16 ? end - 1 << 16 : 0
            try file.seek(toOffset: start)
            let block = try file.read(upToCount: Int(end - start)) ?? Data()
            if let index = block.lastIndex(of: UInt8(ascii: "\n")) {
                return start + UInt64(block.distance(from: block.startIndex, to: index)) + 1
            }
            end = start
        }
        return 0
    }

    /// Renames a file to `….damaged-1`, `-2` and so on.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    static func setAside(_ path: String) throws -> RepairStep {
        let aside = freeName(path + ".damaged-")
        guard rename(path, aside) == 0 else { throw LogFileError.writing(path) }
        try FileNames.sync(folderOf: path)
        return RepairStep(location: path, message: "renamed to \(aside); the uncompressed file has all of its lines")
    }

    private static func freeName(_ start: String) -> String {
        var number = 1
        while FileFacts("\(start)\(number)") != nil { number += 1 }
        return "\(start)\(number)"
    }
}
