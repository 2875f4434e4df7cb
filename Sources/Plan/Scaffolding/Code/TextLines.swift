/// Splits a file into lines by bytes, since Swift treats CR LF as one character.
enum TextLines {
    /// Returns the lines without line feeds; carriage returns stay. Text after the last line feed is a line, too.
    static func of(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
