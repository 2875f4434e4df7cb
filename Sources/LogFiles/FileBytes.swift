internal import Foundation

/// The bytes of a file or of standard input, in chunks of at most ``chunkSize``.
final class FileBytes {
    /// Bytes of the largest chunk: 64 KiB.
    static let chunkSize = 64 << 10

    /// What messages call it.
    let name: String
    private let descriptor: Int32
    private let closesDescriptor: Bool
    /// What was read to look at, and is to be handed out first.
    private var peeked: [UInt8] = []

    /// Opens a file, or takes standard input for `-`.
    ///
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    init(path: String) throws {
        if path == "-" {
            name = "<stdin>"
            descriptor = STDIN_FILENO
            closesDescriptor = false
            return
        }
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        closesDescriptor = true
        guard descriptor >= 0 else { throw Self.failure(errno, name: path) }
    }

    deinit {
        if closesDescriptor && descriptor >= 0 { close(descriptor) }
    }

    /// Whether it has a place on a disk, so that another reader can open it by its path.
    var isRegularFile: Bool {
        var status = stat()
        return closesDescriptor && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
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

    private func read() throws -> [UInt8]? {
        while true {
            var failure: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
                let result = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { failure = errno }
                count = max(result, 0)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw Self.failure(failure, name: name) }
            return chunk.isEmpty ? nil : chunk
        }
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
