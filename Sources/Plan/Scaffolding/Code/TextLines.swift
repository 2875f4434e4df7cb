/// The lines of a file. Swift takes the two bytes that end a line on Windows for one character, so bytes are looked at.
enum TextLines {
    /// Without their line feeds; a carriage return stays. What is behind the last line feed is a line, too.
    static func of(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
