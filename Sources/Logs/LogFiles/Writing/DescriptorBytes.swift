internal import Foundation

/// Writes bytes to a descriptor.
package enum DescriptorBytes {
    /// Writes all bytes, continuing after interruptions.
    ///
    /// - Parameter name: The output's name in messages.
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

/// Syncs folders to the disk.
package enum FolderSync {
    /// Syncs the folder that contains a file.
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
