internal import Foundation
internal import LogFiles

/// Repairs files of lines.
enum FileRepair {
    /// Moves what stands behind the last line feed of a plain file into a file of its own, `….torn-1`, `-2` and so on.
    /// Killed in between, it leaves the bytes in both.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    static func cutTornLine(_ path: String) throws -> [RepairStep] {
        let file = try writable(path)
        let length = try file.seekToEnd()
        let start = try lineStart(file, length)
        // Somebody has finished the line meanwhile.
        guard start < length else { return [] }
        guard !LivingWriters.exist(in: FolderContent.folder(of: path)) else { return [leftAlone(path)] }
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
        try FolderSync.sync(folderOf: aside)
        guard try file.seekToEnd() == length else {
            unlink(aside)
            return [leftAlone(path)]
        }
        guard ftruncate(file.fileDescriptor, off_t(start)) == 0, fsync(file.fileDescriptor) == 0 else {
            throw LogFileError.writing(path)
        }
        return [
            RepairStep(location: path, message: "its last \(length - start) bytes, a torn line, are in \(aside) now")
        ]
    }

    /// Adds a line feed to a plain file whose last line is whole but for that.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    static func endLastLine(_ file: LineFile) throws -> [RepairStep] {
        let handle = try writable(file.path)
        let length = try handle.seekToEnd()
        let start = try lineStart(handle, length)
        guard start < length else { return [] }
        try handle.seek(toOffset: start)
        let line = try handle.read(upToCount: LogFileReader.maximumLineLength) ?? Data()
        // Otherwise somebody goes on writing it.
        guard file.isWhole(Array(line)), !LivingWriters.exist(in: FolderContent.folder(of: file.path)),
            try handle.seekToEnd() == length
        else { return [leftAlone(file.path)] }
        do {
            try handle.write(contentsOf: Data("\n".utf8))
            try handle.synchronize()
        } catch {
            throw LogFileError.writing(file.path)
        }
        return [RepairStep(location: file.path, message: "its last line has its line feed now")]
    }

    private static func leftAlone(_ path: String) -> RepairStep {
        RepairStep(location: path, message: "is left as it is: a process is writing it, or may be")
    }

    private static func writable(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError.writing(path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Where the bytes behind the last line feed start.
    private static func lineStart(_ file: FileHandle, _ length: UInt64) throws -> UInt64 {
        var end = length
        while end > 0 {
            let start = end > 1 << 16 ? end - 1 << 16 : 0
            try file.seek(toOffset: start)
            let block = try file.read(upToCount: Int(end - start)) ?? Data()
            if let location = block.lastIndex(of: UInt8(ascii: "\n")) {
                return start + UInt64(block.distance(from: block.startIndex, to: location)) + 1
            }
            end = start
        }
        return 0
    }

    /// Gives a file the name `….damaged-1`, `-2` and so on.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    static func setAside(_ path: String) throws -> RepairStep {
        let aside = freeName(path + ".damaged-")
        guard rename(path, aside) == 0 else { throw LogFileError.writing(path) }
        try FolderSync.sync(folderOf: path)
        return RepairStep(location: path, message: "is \(aside) now; the plain file beside it has all of it")
    }

    private static func freeName(_ start: String) -> String {
        var number = 1
        while FileFacts("\(start)\(number)") != nil { number += 1 }
        return "\(start)\(number)"
    }
}
