internal import EventFormats
internal import Foundation
internal import LogFiles

/// The file of one partition. It can be closed and goes on later: many are written at a time, and few are open.
final class PartitionFile {
    private static let blockSize = 64 << 10

    let path: String
    private let compresses: Bool
    private var format: any LineFormat
    private var pending: [UInt8] = []
    private var descriptor: Int32 = -1

    /// When it was written to last, as a number that grows.
    var lastUse = 0

    private var partialPath: String { UnfinishedFile.partialPath(of: path) }

    /// Begins with an event. Nothing is on the disk before ``create()``.
    ///
    /// - Parameter compresses: Whether each block becomes a member of gzip.
    /// - Throws: `JSONSyntaxError` for a line that the format cannot show.
    init(path: String, first line: UnsafeRawBufferPointer, format: any LineFormat, compresses: Bool) throws {
        self.path = path
        self.format = format
        self.compresses = compresses
        self.format.begin(into: &pending)
        try self.format.append(line, into: &pending)
    }

    /// Starts the file, over what a run has left that was killed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func create() throws {
        descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw LogFileError.writing(path, errno) }
        if pending.count >= Self.blockSize { try flush() }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds an event.
    ///
    /// - Throws: `JSONSyntaxError` for a line that the format cannot show; `LogFileError`, `cannotWrite`.
    func append(_ line: UnsafeRawBufferPointer) throws {
        try format.append(line, into: &pending)
        if pending.count >= Self.blockSize { try flush() }
    }

    /// Gives the descriptor and the memory back; what is added later goes on behind.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func pause() throws {
        try flush()
        close(descriptor)
        descriptor = -1
        pending = []
    }

    /// Writes the end, and brings all of it to the disk.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func complete() throws {
        format.end(into: &pending)
        try flush()
        guard fsync(descriptor) == 0, close(descriptor) == 0 else { throw LogFileError.writing(path, errno) }
        descriptor = -1
    }

    /// Gives it its name.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func publish() throws {
        guard rename(partialPath, path) == 0 else { throw LogFileError.writing(path, errno) }
        try FolderSync.sync(folderOf: path)
    }

    /// Leaves nothing of it.
    func abandon() { unlink(partialPath) }

    private func flush() throws {
        if descriptor < 0 {
            descriptor = open(partialPath, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { throw LogFileError.writing(path, errno) }
        }
        guard !pending.isEmpty else { return }
        let block = compresses ? try pending.withUnsafeBytes { try GzipMember.compress($0) } : pending
        try block.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: path) }
        pending.removeAll(keepingCapacity: true)
    }
}
