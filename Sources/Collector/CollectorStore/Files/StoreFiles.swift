/// The system calls by which the store changes files. Tests pass an implementation that fails.
///
/// Reads go through this protocol, too, so that tests can count them. Calls may come from any thread.
package protocol StoreFiles: Sendable {
    /// Creates a file for writing with mode 0600. Fails if the file exists.
    ///
    /// - Throws: `SystemError`, or `PrivateFile.Refusal`.
    func create(_ path: String) throws -> CInt
    /// Opens a file for reading. Does not follow symbolic links.
    ///
    /// - Throws: `SystemError`, or `PrivateFile.Refusal`.
    func openForReading(_ path: String) throws -> CInt
    /// Appends bytes; may write only some of them.
    ///
    /// - Returns: The number of bytes written, at least 1.
    /// - Throws: `SystemError`.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int
    /// Reads at an offset.
    ///
    /// - Returns: The number of bytes read; 0 at the end of the file.
    /// - Throws: `SystemError`.
    func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String) throws
        -> Int
    /// Syncs the file's bytes and its length to the disk: fdatasync(2).
    ///
    /// - Throws: `SystemError`. Then bytes written since the last successful sync may be lost, even if a later call
    ///   succeeds.
    func sync(_ descriptor: CInt, path: String) throws
    /// Syncs the names in a folder to the disk.
    ///
    /// - Throws: `SystemError`.
    func syncFolder(_ path: String) throws
    /// Renames a file, replacing the target.
    ///
    /// - Throws: `SystemError`.
    func rename(_ path: String, to other: String) throws
    /// Removes a file; does nothing if it does not exist.
    ///
    /// - Throws: `SystemError`.
    func remove(_ path: String) throws
    func close(_ descriptor: CInt)
}

extension StoreFiles {
    /// Writes all bytes.
    func writeAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(try write(descriptor, rest, path: path)))
        }
    }

    /// Reads bytes; fewer at the end of the file.
    func read(_ descriptor: CInt, at offset: Int64, count: Int, path: String) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { memory, total in
            while total < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[total...])
                let read = try self.read(descriptor, rest, at: offset + Int64(total), path: path)
                if read == 0 { break }
                total += read
            }
        }
    }
}
