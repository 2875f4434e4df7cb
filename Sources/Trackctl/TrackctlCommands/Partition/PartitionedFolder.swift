internal import CommandSupport
internal import EventFormats
internal import Foundation
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// A folder that takes events, each in the folder of its partition. No file has its name before all are complete, and
/// none that was there before is touched.
final class PartitionedFolder {
    /// How many files are open at a time.
    private static let maximumOpen = 64
    /// How many partitions one run writes at most: 65,536. What is kept of each takes memory.
    private static let maximumFiles = 1 << 16

    private let root: String
    private let fileName: String
    private let format: any LineFormat
    private let compresses: Bool
    /// Kept as long as the run writes, so that no other writes the same files.
    private var lock: UnfinishedFile?
    private var files: [String: PartitionFile] = [:]
    private var open: [PartitionFile] = []
    private var uses = 0
    /// Made by this run, each after the one that it lies in.
    private var folders: [String] = []

    /// How many partitions there are.
    var count: Int { files.count }

    /// - Parameters:
    ///   - fileName: Of the file in each folder.
    ///   - format: How each file is written, before its first event.
    ///   - compresses: Whether each file is compressed with gzip.
    init(_ root: String, fileName: String, format: any LineFormat, compresses: Bool) {
        self.root = root
        self.fileName = fileName
        self.format = format
        self.compresses = compresses
    }

    /// Adds an event to a partition.
    ///
    /// - Throws: `JSONSyntaxError` for a line that the format cannot show, or whose folder's path is too long: it makes no
    ///   partition; ``CommandFailure``: `usage` if the file of the partition was there before, `busy` if another run writes
    ///   files of this name, `inputOutput`.
    func append(_ line: UnsafeRawBufferPointer, to partition: String) throws {
        if let file = files[partition] {
            try use(file)
            try file.append(line)
        } else {
            try use(try start(partition, with: line))
        }
    }

    private func use(_ file: PartitionFile) throws {
        uses += 1
        // One that was closed is opened by what it writes.
        if file.lastUse == 0 { try opening(file) }
        file.lastUse = uses
    }

    private func start(_ partition: String, with line: UnsafeRawBufferPointer) throws -> PartitionFile {
        let folder = "\(root)/\(partition)"
        let path = "\(folder)/\(fileName)"
        let file = try PartitionFile(path: path, first: line, format: format, compresses: compresses)
        guard files.count < Self.maximumFiles else {
            throw CommandFailure(
                .usage, "the template makes more than \(Self.maximumFiles.grouped) folders: choose a coarser one")
        }
        if lock == nil { try begin() }
        guard UnfinishedFile.partialPath(of: path).utf8.count < PATH_MAX else {
            throw JSONSyntaxError(offset: 0, reason: "values are too long: the path of their folder would be, too")
        }
        guard access(path, F_OK) != 0 else {
            throw CommandFailure(
                .usage, "\(path) exists, and nothing was written: choose another folder, or a new name by --append-run")
        }
        try makeFolder(folder)
        files[partition] = file
        try file.create()
        return file
    }

    /// Makes the folder of all, and removes what a run has left in it that was killed.
    private func begin() throws {
        try makeFolder(root)
        let lock = try UnfinishedFile(path: "\(root)/.\(fileName)")
        self.lock = lock
        guard lock.wasLeft else { return }
        let leftover = UnfinishedFile.partialPath(of: fileName)
        let names = FileManager.default.enumerator(atPath: root)
        while let name = names?.nextObject() as? String {
            if name == leftover || name.hasSuffix("/\(leftover)") { unlink("\(root)/\(name)") }
        }
    }

    /// Makes room for a file that is about to be open: the one that was not used for longest is closed.
    private func opening(_ file: PartitionFile) throws {
        if open.count == Self.maximumOpen, let oldest = open.indices.min(by: { open[$0].lastUse < open[$1].lastUse }) {
            try open[oldest].pause()
            open[oldest].lastUse = 0
            open.remove(at: oldest)
        }
        open.append(file)
    }

    private func makeFolder(_ path: String) throws {
        if mkdir(path, 0o755) == 0 { return folders.append(path) }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o755) == 0 { return folders.append(path) }
        }
        guard errno == EEXIST else { throw LogFileError.writing(path, errno) }
    }

    /// Completes all files, then gives them their names.
    ///
    /// - Throws: `LogFileError`: `cannotWrite`; `interrupted`, and then no file has its name.
    func finish() throws {
        let all = files.keys.sorted().compactMap { files[$0] }
        for file in all {
            try Interruption.check()
            try file.complete()
        }
        try Interruption.check()
        for file in all { try file.publish() }
        lock?.discard()
    }

    /// Leaves nothing of this run.
    func abandon() {
        for file in files.values { file.abandon() }
        lock?.discard()
        // Those that somebody else has put something into stay.
        for folder in folders.reversed() { rmdir(folder) }
    }
}

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
        guard fsync(descriptor) == 0 else { throw LogFileError.writing(path, errno) }
        // Closed even if that fails: the number may be another file's from then on.
        let closed = descriptor
        descriptor = -1
        guard close(closed) == 0 else { throw LogFileError.writing(path, errno) }
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
