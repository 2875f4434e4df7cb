package import Primitives

/// The system calls by which the store reads and changes files. Tests pass an implementation that fails.
///
/// Reads are among them so that tests can count them. Calls may come from any thread.
package protocol StoreFiles: FileCalls {
    /// Opens a file for reading. Does not follow symbolic links.
    ///
    /// - Throws: `SystemError`, or `PrivateFile.Refusal`.
    func openForReading(_ path: String) throws -> CInt
    /// Reads at an offset.
    ///
    /// - Returns: The number of bytes read; 0 at the end of the file.
    /// - Throws: `SystemError`.
    func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String) throws
        -> Int
}

extension StoreFiles {
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
