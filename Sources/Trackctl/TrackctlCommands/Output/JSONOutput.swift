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
    /// - Throws: ``CommandFailure``, `inputOutput`.
    mutating func pass() throws {
        if json.count >= Self.pieceLength { try hand() }
    }

    /// Hands on the rest, and a line feed.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    consuming func finish() throws {
        try hand()
        try output.write([UInt8(ascii: "\n")])
    }

    private mutating func hand() throws {
        try output.write(json.bytes)
        json.removeWritten()
    }
}
