extension FileCalls {
    /// Replaces a small file atomically, with mode 0600: after a power failure, it has its old or its new content. When
    /// this returns, the new content and the file's name are on the disk.
    ///
    /// Does not exclude other writers: call it under a lock if there are any.
    ///
    /// - Parameter draft: The file's path until it is complete, in the same folder. An existing file is removed, as is
    ///   the draft after an error.
    /// - Throws: ``SystemError``.
    package func replace(_ path: String, with bytes: [UInt8], draft: String) throws {
        try remove(draft)
        let descriptor = try create(draft)
        defer { close(descriptor) }
        do {
            try bytes.withUnsafeBytes { try writeAll(descriptor, $0, path: draft) }
            try publish(draft, as: path, syncing: descriptor)
        } catch {
            try? remove(draft)  // if this fails, too, the next call removes it
            throw error
        }
    }

    /// Gives a complete draft its final name, and replaces the file that has the name. When this returns, both the
    /// file's bytes and its name are on the disk.
    ///
    /// - Parameter descriptor: The draft, open for writing; nil if its bytes are on the disk already.
    /// - Throws: ``SystemError``. The draft remains, unless the error is that of syncing the folder.
    package func publish(_ draft: String, as path: String, syncing descriptor: CInt? = nil) throws {
        if let descriptor { try sync(descriptor, path: draft) }
        try rename(draft, to: path)
        try syncFolder(of: path)
    }

    /// Syncs the folder that contains a file.
    ///
    /// - Throws: ``SystemError``.
    package func syncFolder(of path: String) throws {
        guard let slash = path.lastIndex(of: "/") else { return try syncFolder(".") }
        try syncFolder(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``SystemError``.
    package func writeAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(try write(descriptor, rest, path: path)))
        }
    }
}
