internal import Foundation

/// The bytes of a file or of standard input, in chunks of at most ``chunkSize``.
final class FileBytes {
    /// Bytes of the largest chunk: 64 KiB.
    static let chunkSize = 64 << 10

    /// What messages call it.
    let name: String
    private let descriptor: Int32
    private let closesDescriptor: Bool
    /// Whether it has a place on a disk, so that another reader can open it by its path.
    let isRegularFile: Bool
    /// What was read to look at, and is to be handed out first.
    private var peeked: [UInt8] = []

    /// Opens a file, or takes standard input for `-`.
    ///
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    init(path: String) throws {
        if path == "-" {
            name = "<stdin>"
            descriptor = StandardStreams.current.input
            closesDescriptor = false
            isRegularFile = false
            return
        }
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        closesDescriptor = true
        let code = errno
        isRegularFile = Self.isRegularFile(descriptor)
        guard descriptor >= 0 else { throw Self.failure(code, name: path) }
    }

    deinit {
        if closesDescriptor && descriptor >= 0 { close(descriptor) }
    }

    private static func isRegularFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The first bytes, as many as asked for unless the file is shorter; they are handed out again by ``next()``.
    func peek(_ count: Int) throws -> ArraySlice<UInt8> {
        while peeked.count < count, let chunk = try read() { peeked += chunk }
        return peeked.prefix(count)
    }

    /// The next chunk, never empty; nil at the end.
    ///
    /// - Throws: ``LogFileError``: `cannotRead`.
    func next() throws -> [UInt8]? {
        guard peeked.isEmpty else {
            defer { peeked = [] }
            return peeked
        }
        return try read()
    }

    /// Reads the next bytes to where they are wanted.
    ///
    /// - Returns: How many; 0 only at the end.
    /// - Throws: ``LogFileError``: `cannotRead`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard peeked.isEmpty else {
            let count = min(peeked.count, buffer.count)
            buffer.copyBytes(from: peeked.prefix(count))
            peeked.removeFirst(count)
            return count
        }
        return try readPastPeeked(into: buffer)
    }

    private func readPastPeeked(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            // As if it ended here: whoever reads sees why.
            if !isRegularFile, !Interruption.waitToRead(descriptor, milliseconds: -1) { return 0 }
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.failure(errno, name: name) }
        }
    }

    private func read() throws -> [UInt8]? {
        let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            count = try readPastPeeked(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return chunk.isEmpty ? nil : chunk
    }

    private static func failure(_ code: Int32, name: String) -> LogFileError {
        switch code {
        case ENOENT, ENOTDIR: LogFileError(.notFound, "there is no file \(name): check the path")
        case EACCES, EPERM: LogFileError(.cannotRead, "you may not read \(name): check its permissions")
        case EISDIR: LogFileError(.cannotRead, "\(name) is a folder: name a file in it")
        default: LogFileError(.cannotRead, "\(name) cannot be read: \(String(cString: strerror(code)))")
        }
    }
}
