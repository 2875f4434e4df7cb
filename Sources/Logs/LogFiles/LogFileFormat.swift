/// What a log file holds, told by its first bytes and never by its name.
package enum LogFileFormat: Hashable, Sendable {
    /// Lines of text; an empty file too.
    case text
    /// Lines of text, compressed with gzip (RFC 1952).
    case gzip
    /// Lines of text, compressed with zstd (RFC 8878).
    case zstd
    /// An SQLite database.
    case sqlite

    /// How many bytes are enough to tell.
    static let magicLength = 16

    private static let gzipMagic: [UInt8] = [0x1F, 0x8B]
    private static let zstdMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// https://www.sqlite.org/fileformat.html#magic_header_string
    private static let sqliteMagic = Array("SQLite format 3\0".utf8)

    /// Tells the format of a file that starts with these bytes.
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
