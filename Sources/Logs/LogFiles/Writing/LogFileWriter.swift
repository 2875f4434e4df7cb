internal import Foundation

/// Writes the place of a log file anew: into a file beside it, plain or packed like it, which takes its name and its
/// permissions when it is complete and on the disk. Whoever reads or is killed meanwhile sees the old file or the new.
///
/// For one thread at a time.
package final class LogFileWriter {
    private static let blockSize = 256 << 10

    private let path: String
    private let draft: String
    private let descriptor: Int32
    private let packer: GzipPacker?
    private var block: [UInt8] = []
    private var isFinished = false

    /// The end of the name that a file has until it is complete.
    package static let draftSuffix = ".erasing"

    /// Starts a file that is to take the place of another. What an earlier one has left of its work goes.
    ///
    /// - Throws: ``LogFileError``: `notFound`, `cannotWrite`.
    package init(replacing path: String, format: LogFileFormat) throws {
        // A link stays one: what it leads to is replaced.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.path = path
        draft = path + Self.draftSuffix
        switch format {
        case .text: packer = nil
        case .gzip: packer = try GzipPacker()
        case .zstd, .sqlite:
            throw LogFileError(.cannotWrite, "\(path) is neither plain nor packed with gzip: unpack it first")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw LogFileError(.notFound, "there is no file \(path): check the path")
        }
        unlink(draft)
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFileError.writing(draft) }
        // The owner first: giving a file away takes rights of its own off it. Who may not do it owns the file already.
        guard fchown(descriptor, status.st_uid, status.st_gid) == 0 || errno == EPERM,
            fchmod(descriptor, status.st_mode & 0o7777) == 0
        else { throw LogFileError.writing(draft) }
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(draft) }
    }

    /// Adds bytes.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func write(_ bytes: some Collection<UInt8>) throws {
        block.append(contentsOf: bytes)
        if block.count >= Self.blockSize { try flush(isLast: false) }
    }

    /// Brings everything to the disk and gives the file its name.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`; then the old file stands where it stood.
    package func finish() throws {
        try flush(isLast: true)
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw LogFileError.writing(path) }
        isFinished = true
        try FolderSync.sync(folderOf: path)
    }

    private func flush(isLast: Bool) throws {
        try block.withUnsafeBytes { bytes in
            guard let packer else { return try store(bytes) }
            try packer.pack(bytes, isLast: isLast, store)
        }
        block.removeAll(keepingCapacity: true)
    }

    private func store(_ bytes: UnsafeRawBufferPointer) throws {
        try DescriptorBytes.write(bytes, to: descriptor, name: draft)
    }
}
