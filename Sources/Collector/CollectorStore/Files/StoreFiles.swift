#if Collector
    internal import EventLog

    /// The calls by which the store changes files, one system call each. Tests hand in some that fail.
    ///
    /// Reading goes through here, too, so that tests can count it. Every call may come from any thread.
    package protocol StoreFiles: Sendable {
        /// Makes a file for writing, 0600, which must not be there.
        ///
        /// - Throws: `SystemError`, or `PrivateFile.Refusal`.
        func create(_ path: String) throws -> CInt
        /// Opens a file for reading. No link is followed.
        ///
        /// - Throws: `SystemError`, or `PrivateFile.Refusal`.
        func openForReading(_ path: String) throws -> CInt
        /// Writes at the end of what was written; it may write a part only.
        ///
        /// - Returns: How many bytes were written, at least 1.
        /// - Throws: `SystemError`.
        func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int
        /// Reads at an offset.
        ///
        /// - Returns: How many bytes were read; 0 at the end of the file.
        /// - Throws: `SystemError`.
        func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String) throws
            -> Int
        /// Returns when the file's bytes and its length are on the disk: fdatasync(2).
        ///
        /// - Throws: `SystemError`. What was written since the last success may be lost then, whatever a later call says.
        func sync(_ descriptor: CInt, path: String) throws
        /// Returns when the names in a folder are on the disk.
        ///
        /// - Throws: `SystemError`.
        func syncFolder(_ path: String) throws
        /// Gives a file the name of another, which goes.
        ///
        /// - Throws: `SystemError`.
        func rename(_ path: String, to other: String) throws
        /// Removes a file; no error if there is none.
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

        /// Reads bytes; fewer if the file ends before.
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
#endif
