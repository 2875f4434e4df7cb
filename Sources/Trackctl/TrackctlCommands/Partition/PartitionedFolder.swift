internal import CommandSupport
internal import EventFormats
internal import Foundation
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// Writes events to the folders of their partitions. The files get their final names once all of them are complete.
/// Existing files are never changed.
final class PartitionedFolder {
    /// The most open files.
    private static let maximumOpen = 64
    /// The maximum number of partitions in a run: 65,536. Each uses memory.
    private static let maximumFiles = 1 << 16

    private let root: String
    private let fileName: String
    private let format: any LineFormat
    private let compresses: Bool
    /// Keeps other runs from writing the same files.
    private var lock: UnfinishedFile?
    private var files: [String: PartitionFile] = [:]
    private var open: [PartitionFile] = []
    private var uses = 0
    /// Folders that this run created, parents first.
    private var folders: [String] = []

    /// The number of partitions.
    var count: Int { files.count }

    /// - Parameters:
    /// - fileName: The name of the file in each folder.
    /// - format: The initial state of the format, copied for each file.
    /// - compresses: Whether each file is compressed with gzip.
    init(_ root: String, fileName: String, format: any LineFormat, compresses: Bool) {
        self.root = root
        self.fileName = fileName
        self.format = format
        self.compresses = compresses
    }

    /// Appends an event to a partition.
    ///
    /// - Throws: `JSONSyntaxError` if the format cannot show the line, or the path of its folder is too long;
    ///   ``CommandFailure``: `usage` if the file exists, `busy` if another run writes files with this name,
    ///   `inputOutput`.
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
        // A closed file reopens on the next write.
        if file.lastUse == 0 { try opening(file) }
        file.lastUse = uses
    }

    private func start(_ partition: String, with line: UnsafeRawBufferPointer) throws -> PartitionFile {
        let folder = "\(root)/\(partition)"
        let path = "\(folder)/\(fileName)"
        let file = try PartitionFile(path: path, first: line, format: format, compresses: compresses)
        guard files.count < Self.maximumFiles else {
            throw CommandFailure(
                .usage, "the template gives more than \(Self.maximumFiles.grouped) folders: use a coarser one")
        }
        if lock == nil { try begin() }
        guard UnfinishedFile.partialPath(of: path).utf8.count < PATH_MAX else {
            throw JSONSyntaxError(offset: 0, reason: "values are too long: the path of their folder would be too long")
        }
        guard access(path, F_OK) != 0 else {
            throw CommandFailure(
                .usage, "\(path) exists; nothing was written: choose another folder, or a new name with --append-run")
        }
        try makeFolder(folder)
        files[partition] = file
        try file.create()
        return file
    }

    /// Creates the root folder, and removes leftovers of a killed run.
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

    /// Registers a file as open; closes the least recently used one if too many are open.
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
    /// - Throws: `LogFileError`: `cannotWrite`; `interrupted`, in which case no file has its name.
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

    /// Deletes everything that this run created.
    func abandon() {
        for file in files.values { file.abandon() }
        lock?.discard()
        // rmdir keeps folders that other processes have written to.
        for folder in folders.reversed() { rmdir(folder) }
    }
}

/// The file of a partition. It can be closed and reopened, since few of many files are open at a time.
final class PartitionFile {
    private static let blockSize = 64 << 10

    let path: String
    private let compresses: Bool
    private var format: any LineFormat
    private var pending: [UInt8] = []
    private var descriptor: Int32 = -1

    /// The time of the last write, as a counter.
    var lastUse = 0

    private var partialPath: String { UnfinishedFile.partialPath(of: path) }

    /// Starts with an event. Writes nothing to the disk before ``create()``.
    ///
    /// - Parameter compresses: Whether each block becomes a gzip member.
    /// - Throws: `JSONSyntaxError` for a line that the format cannot show.
    init(path: String, first line: UnsafeRawBufferPointer, format: any LineFormat, compresses: Bool) throws {
        self.path = path
        self.format = format
        self.compresses = compresses
        self.format.begin(into: &pending)
        try self.format.append(line, into: &pending)
    }

    /// Creates the file, replacing a leftover of a killed run.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func create() throws {
        descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw LogFileError.writing(path, errno) }
        if pending.count >= Self.blockSize { try flush() }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends an event.
    ///
    /// - Throws: `JSONSyntaxError` for a line that the format cannot show; `LogFileError`, `cannotWrite`.
    func append(_ line: UnsafeRawBufferPointer) throws {
        try format.append(line, into: &pending)
        if pending.count >= Self.blockSize { try flush() }
    }

    /// Releases the descriptor and the buffer. You can append more afterwards.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func pause() throws {
        try flush()
        close(descriptor)
        descriptor = -1
        pending = []
    }

    /// Writes the end and syncs the file to the disk.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func complete() throws {
        format.end(into: &pending)
        try flush()
        guard fsync(descriptor) == 0 else { throw LogFileError.writing(path, errno) }
        // Never close again after an error: the number may be reused.
        let closed = descriptor
        descriptor = -1
        guard close(closed) == 0 else { throw LogFileError.writing(path, errno) }
    }

    /// Renames the file to its final name.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func publish() throws {
        try FileNames.publish(partialPath, as: path)
    }

    /// Deletes the file.
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
