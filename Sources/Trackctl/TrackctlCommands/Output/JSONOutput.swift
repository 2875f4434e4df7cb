internal import JSONLines

/// Writes JSON of any length in pieces.
struct JSONOutput: ~Copyable {
    private static let pieceLength = 64 << 10

    /// The writer of the next part.
    var json = JSONWriter()
    private let output: BufferedOutput

    init(_ output: BufferedOutput) { self.output = output }

    /// Writes the buffered JSON to the output if it exceeds 64 KiB.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    mutating func pass() throws {
        if json.count >= Self.pieceLength { try writePiece() }
    }

    /// Writes the rest and a line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    consuming func finish() throws {
        try writePiece()
        try output.write([UInt8(ascii: "\n")])
    }

    private mutating func writePiece() throws {
        try output.write(json.bytes)
        json.removeWritten()
    }
}

extension String {
    /// The maximum number of bytes to show of a name; a name in a line may have 32 KiB.
    private static let longestShown = 256

    /// The text, truncated with an ellipsis if it is too long.
    var shortened: String {
        guard utf8.count > Self.longestShown else { return self }
        return String(decoding: utf8.prefix(Self.longestShown), as: UTF8.self)
            .trimmingSuffix { $0 == "\u{FFFD}" } + "…"
    }

    private func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isDropped($0) }) else { return "" }
        return self[...last]
    }
}
