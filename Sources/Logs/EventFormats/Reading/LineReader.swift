internal import JSONLines
internal import JSONSchema

/// Parses lines. Each must be a JSON object (RFC 8259), nested up to 128 levels, without duplicate names. Numbers may
/// have any size, because they stay text.
struct LineReader: Sendable {
    private var tape = JSONTape()

    /// Parses a line, and calls `body` with the object, which is valid during the call only.
    ///
    /// - Throws: `JSONSyntaxError`, or everything that `body` throws. Complexity: O(bytes).
    mutating func read<Result>(
        _ line: UnsafeRawBufferPointer, _ body: (JSONSpan) throws -> Result
    ) throws -> Result {
        try line.withMemoryRebound(to: UInt8.self) { text in
            do throws(JSONTextError) {
                try tape.read(text, limits: .standard)
            } catch {
                throw JSONSyntaxError(offset: error.offset, reason: error.reason)
            }
            return try tape.nodes.withUnsafeBufferPointer { nodes in
                let root = JSONSpan(
                    nodes: nodes.baseAddress.unsafelyUnwrapped, base: text.baseAddress.unsafelyUnwrapped, index: 0,
                    isCompact: Self.compactLength(nodes) == text.count)
                guard root.kind == .object else {
                    throw JSONSyntaxError(offset: root.offset, reason: "an event must be an object")
                }
                if let name = TapeNames.repeated(root.tape, count: nodes.count) {
                    throw JSONSyntaxError(
                        offset: root.at(name).offset, reason: "duplicate name in an object")
                }
                return try body(root)
            }
        }
    }

    /// The number of bytes that the values take without white space between them.
    private static func compactLength(_ nodes: UnsafeBufferPointer<TapeNode>) -> Int {
        nodes.reduce(0) { sum, node in
            switch node.kind {
            case .object: sum + 2 + max(0, 2 * Int(node.count) - 1)
            case .array: sum + 2 + max(0, Int(node.count) - 1)
            case .string: sum + 2 + Int(node.length)
            default: sum + Int(node.length)
            }
        }
    }
}

/// Verifies that written events can be read back.
struct ReadBackProof<Reader: EventReader>: Sendable {
    private var reader: Reader
    private var readBack: [UInt8] = []

    init(_ reader: Reader) { self.reader = reader }

    /// Whether the reader reproduces the line, byte for byte.
    mutating func holds(_ written: ArraySlice<UInt8>, gives line: UnsafeRawBufferPointer) -> Bool {
        readBack.removeAll(keepingCapacity: true)
        do {
            try written.withUnsafeBytes { try reader.append($0, into: &readBack) }
        } catch {
            // The reader rejected the event, so it cannot reproduce the line.
            return false
        }
        return readBack.withUnsafeBufferPointer { readBack in
            line.withMemoryRebound(to: UInt8.self) { Bytes.areEqual(readBack, $0) }
        }
    }
}
