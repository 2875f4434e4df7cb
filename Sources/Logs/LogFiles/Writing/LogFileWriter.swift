internal import Foundation

/// Replaces a log file atomically: writes a new file next to it, plain or compressed like it, and renames it when it
/// is complete and synced to the disk. Readers, and a killed process, see either the old or the new file.
///
/// Not thread-safe.
package final class LogFileWriter {
    private static let blockSize = 256 << 10

    private let path: String
    private let draft: String
    private let descriptor: Int32
    private let packer: GzipPacker?
    private var block: [UInt8] = []
    private var isFinished = false

    /// The suffix of the new file until it is complete.
    package static let draftSuffix = ".erasing"

    /// Starts the replacement of a file. Deletes the draft of an earlier run.
    ///
    /// - Throws: ``LogFileError``: `notFound`, `cannotWrite`.
    package init(replacing path: String, format: LogFileFormat) throws {
        // Replace the target of a symbolic link, not the link.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.path = path
        draft = path + Self.draftSuffix
        switch format {
        case .text: packer = nil
        case .gzip: packer = try GzipPacker()
        case .zstd, .sqlite:
            throw LogFileError(.cannotWrite, "\(path) is neither plain nor gzip: decompress it first")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw LogFileError(.notFound, "cannot open \(path): no such file; check the path")
        }
        unlink(draft)
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LogFileError.writing(draft) }
        // Set the owner first, since chown clears mode bits. Without the right to chown, the process owns the file
        // already.
        guard fchown(descriptor, status.st_uid, status.st_gid) == 0 || errno == EPERM,
            fchmod(descriptor, status.st_mode & 0o7777) == 0
        else { throw LogFileError.writing(draft) }
    }

    deinit {
        close(descriptor)
        if !isFinished { unlink(draft) }
    }

    /// Appends bytes.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func write(_ bytes: some Collection<UInt8>) throws {
        block.append(contentsOf: bytes)
        if block.count >= Self.blockSize { try flush(isLast: false) }
    }

    /// Syncs the file to the disk and renames it.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`; the old file is then unchanged.
    package func finish() throws {
        try flush(isLast: true)
        try FileNames.publish(draft, as: path, syncing: descriptor)
        isFinished = true
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
