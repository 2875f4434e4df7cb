/// The bytes of a log file or of standard input, decompressed if necessary (gzip or zstd).
///
/// The content determines the format; the name does not matter. Not thread-safe.
package final class LogFileBlocks {
    /// The name in messages: the path, or `<stdin>`.
    package let name: String
    /// The format. Databases (`sqlite`) cannot be read as blocks.
    package let format: LogFileFormat
    /// Whether the file can be opened again by its path: false for pipes and standard input.
    package let isRegularFile: Bool
    private let readBytes: (UnsafeMutableRawBufferPointer) throws -> Int

    /// Opens a file and reads its first bytes.
    ///
    /// - Parameter path: The file, or `-` for standard input.
    /// - Throws: ``LogFileError``: `notFound`, `cannotRead`.
    package init(path: String) throws {
        let source = try FileBytes(path: path)
        name = source.name
        isRegularFile = source.isRegularFile
        format = LogFileFormat(startingWith: try source.peek(LogFileFormat.magicLength))
        switch format {
        case .gzip:
            let inflated = try GzipBytes(source)
            readBytes = { try inflated.read(into: $0) }
        case .zstd:
            let unpacked = try ZstdBytes(source)
            readBytes = { try unpacked.read(into: $0) }
        case .text, .sqlite: readBytes = { try source.read(into: $0) }
        }
    }

    /// Reads the next bytes into a buffer.
    ///
    /// - Returns: The number of bytes; 0 only at the end, or for an empty buffer.
    /// - Throws: ``LogFileError``: `cannotRead`, `truncated`, `corrupt`, `isDatabase`, after all bytes before the
    ///   error.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard format != .sqlite else {
            throw LogFileError(.isDatabase, "\(name) is an SQLite database without lines: open it as an event log")
        }
        return try readBytes(buffer)
    }

    /// The next block of up to 64 KiB, never empty; nil at the end.
    ///
    /// - Throws: See ``read(into:)``.
    package func next() throws -> [UInt8]? {
        let block = try [UInt8](unsafeUninitializedCapacity: FileBytes.chunkSize) { buffer, count in
            count = try read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return block.isEmpty ? nil : block
    }
}

/// The format of a log file, determined by its first bytes.
package enum LogFileFormat: Hashable, Sendable {
    /// Lines of text, or an empty file.
    case text
    /// Lines of text, compressed with gzip (RFC 1952).
    case gzip
    /// Lines of text, compressed with zstd (RFC 8878).
    case zstd
    /// An SQLite database.
    case sqlite

    /// The number of bytes that determine the format.
    static let magicLength = 16

    private static let gzipMagic: [UInt8] = [0x1F, 0x8B]
    private static let zstdMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// https://www.sqlite.org/fileformat.html#magic_header_string
    private static let sqliteMagic = Array("SQLite format 3\0".utf8)

    /// Determines the format from the first bytes.
    init(startingWith bytes: some Collection<UInt8>) {
        if bytes.starts(with: Self.sqliteMagic) {
            self = .sqlite
        } else if bytes.starts(with: Self.gzipMagic) {
            self = .gzip
        } else if bytes.starts(with: Self.zstdMagic) {
            self = .zstd
        } else {
            self = .text
        }
    }
}
