internal import Foundation

/// Bytes on their way to a descriptor.
package enum DescriptorBytes {
    /// Writes all of it, whatever interrupts it.
    ///
    /// - Parameter name: What messages call the output.
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw LogFileError.writing(name)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }
}

/// Brings the names in a folder to the disk.
package enum FolderSync {
    /// Syncs the folder that a file stands in.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package static func sync(folderOf path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LogFileError.writing(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw LogFileError.writing(folder) }
    }
}
