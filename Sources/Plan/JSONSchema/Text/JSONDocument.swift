/// A JSON text that was read once and can be looked into: exact, in order, with the place of every value.
///
/// ```swift
/// let document = try JSONDocument(bytes)
/// document.root["properties"]?.members.map(\.name)
/// ```
///
/// A document never changes, so any number of threads may look into it.
public final class JSONDocument: Sendable {
    /// The text.
    public let bytes: [UInt8]
    let nodes: [TapeNode]

    /// Reads a whole text (RFC 8259). A name may not stand twice in one object.
    ///
    /// - Throws: ``JSONTextError`` with the offset of the first wrong byte. Complexity: O(bytes).
    public init(_ bytes: some Sequence<UInt8>, limits: JSONLimits = .standard) throws(JSONTextError) {
        let bytes = Array(bytes)
        var tape = JSONTape()
        let fault: JSONTextError? = bytes.withUnsafeBufferPointer { text in
            do throws(JSONTextError) {
                try tape.read(text, limits: limits)
                return nil
            } catch { return error }
        }
        if let fault { throw fault }
        self.bytes = bytes
        nodes = tape.nodes
        if !limits.isInteroperable, let name = withTape({ TapeNames.repeated($0, count: nodes.count) }) {
            throw JSONTextError(.repeatedName, at: Int(nodes[name].start) - 1)
        }
    }

    /// The outermost value.
    public var root: Value { Value(document: self, index: 0) }

    func withTape<Result>(_ body: (TapeView) throws -> Result) rethrows -> Result {
        try nodes.withUnsafeBufferPointer { nodes in
            try bytes.withUnsafeBufferPointer { text in
                try body(
                    TapeView(
                        nodes: nodes.baseAddress.unsafelyUnwrapped, text: text.baseAddress.unsafelyUnwrapped))
            }
        }
    }

    /// Line and column of an offset, both from 1; the column counts bytes.
    public func position(ofOffset offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (line, offset - lineStart + 1)
    }
}
