internal import JSONLines

/// JSON that goes out in pieces while it is written: it may be of any length.
struct JSONOutput: ~Copyable {
    private static let pieceLength = 64 << 10

    /// Where the next part of the value goes.
    var json = JSONWriter()
    private let output: BufferedOutput

    init(_ output: BufferedOutput) { self.output = output }

    /// Hands on what was written, if it is much.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    mutating func pass() throws {
        if json.count >= Self.pieceLength { try hand() }
    }

    /// Hands on the rest, and a line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    consuming func finish() throws {
        try hand()
        try output.write([UInt8(ascii: "\n")])
    }

    private mutating func hand() throws {
        try output.write(json.bytes)
        json.removeWritten()
    }
}

extension String {
    /// How many bytes of a name in a line are shown at most: a line may hold one of 32 KiB.
    private static let longestShown = 256

    /// The text itself, or its start with an ellipsis.
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
