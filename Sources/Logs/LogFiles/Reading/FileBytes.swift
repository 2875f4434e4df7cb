internal import Foundation

/// The bytes of a file or of standard input, in chunks of up to ``chunkSize``.
final class FileBytes {
    /// The largest chunk in bytes: 64 KiB.
    static let chunkSize = 64 << 10

    /// The name in messages.
    let name: String
    private let descriptor: Int32
    private let closesDescriptor: Bool
    /// Whether it is a file on a disk, which another reader can open by its path.
    let isRegularFile: Bool
    /// Bytes read by ``peek(_:)``, to be returned first.
    private var peeked: [UInt8] = []

    /// Opens a file, or standard input for `-`.
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

    /// The first bytes, as many as requested unless the file is shorter. They are returned again by ``next()``.
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

    /// Reads the next bytes into a buffer.
    ///
    /// - Returns: The number of bytes; 0 only at the end.
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
            // After a signal, report the end; the caller checks ``Interruption``.
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
        case ENOENT, ENOTDIR: LogFileError(.notFound, "cannot open \(name): no such file; check the path")
        case EACCES, EPERM: LogFileError(.cannotRead, "cannot read \(name): check its permissions")
        case EISDIR: LogFileError(.cannotRead, "\(name) is a folder: pass a file in it")
        default: LogFileError(.cannotRead, "cannot read \(name): \(String(cString: strerror(code)))")
        }
    }
}
