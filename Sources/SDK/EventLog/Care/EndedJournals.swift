internal import Foundation

/// The rings of a log, held by their files, so that they can be overwritten once an opening has moved what they hold
/// and removed them: their bytes would stay on the disk else, though without a name.
package struct EndedJournals: ~Copyable {
    private let descriptors: [CInt]

    /// Takes hold of the rings that stand beside a database now.
    package init(of database: String) {
        let folder = JournalFolder.path(of: database)
        let names = (try? JournalFolder.ringNames(folder)) ?? []  // none: no journals
        descriptors = names.map { open("\(folder)/\($0)", O_WRONLY | O_CLOEXEC) }.filter { $0 >= 0 }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Overwrites those that have lost their names with zeros.
    ///
    /// - Throws: ``EventLogError``, `io`.
    package borrowing func overwrite() throws {
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        for descriptor in descriptors {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { continue }
            var offset = 0
            while offset < Int(status.st_size) {
                let count = pwrite(descriptor, zeros, min(zeros.count, Int(status.st_size) - offset), off_t(offset))
                guard count > 0 || errno == EINTR else { throw Self.failure() }
                offset += max(count, 0)
            }
            guard fsync(descriptor) == 0 else { throw Self.failure() }
        }
    }

    private static func failure() -> EventLogError {
        EventLogError(.io, "a journal cannot be overwritten: \(String(cString: strerror(errno)))")
    }
}
