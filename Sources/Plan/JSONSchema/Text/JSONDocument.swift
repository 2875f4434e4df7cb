/// A parsed JSON text with exact numbers, the order of members, and the offset of every value.
///
/// ```swift
/// let document = try JSONDocument(bytes)
/// document.root["properties"]?.members.map(\.name)
/// ```
///
/// A document is immutable, so any number of threads may read it.
public final class JSONDocument: Sendable {
    /// The bytes of the text.
    public let bytes: [UInt8]
    let nodes: [TapeNode]

    /// Parses a complete text (RFC 8259). Duplicate names in an object are an error.
    ///
    /// - Throws: ``JSONTextError`` with the offset of the first invalid byte. Complexity: O(bytes).
    public init(_ bytes: some Sequence<UInt8>, limits: JSONLimits = .standard) throws(JSONTextError) {
        let bytes = Array(bytes)
        var tape = JSONTape()
        let issue: JSONTextError? = bytes.withUnsafeBufferPointer { text in
            do throws(JSONTextError) {
                try tape.read(text, limits: limits)
                return nil
            } catch { return error }
        }
        if let issue { throw issue }
        self.bytes = bytes
        nodes = tape.nodes
        if !limits.isInteroperable, let name = withTape({ TapeNames.repeated($0, count: nodes.count) }) {
            throw JSONTextError(.repeatedName, at: Int(nodes[name].start) - 1)
        }
    }

    /// The root value.
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

    /// Returns the line and column of an offset, both from 1. The column counts bytes.
    public func position(ofOffset offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (line, offset - lineStart + 1)
    }
}

extension JSONDocument {
    /// A value in a document.
    public struct Value: Sendable {
        /// The document that contains it.
        public let document: JSONDocument
        let index: Int

        private var node: TapeNode { document.nodes[index] }

        /// Its type; ``JSONKind/number`` for every number.
        public var kind: JSONKind { node.kind }

        /// Its offset in the document, in bytes; for strings the offset of the opening quote.
        public var offset: Int { node.kind == .string ? Int(node.start) - 1 : Int(node.start) }

        /// Its bytes in the document, including the quotes of strings.
        public var source: ArraySlice<UInt8> {
            let start = Int(node.start)
            let end = start + Int(node.length)
            return node.kind == .string ? document.bytes[start - 1..<end + 1] : document.bytes[start..<end]
        }

        /// The text of a string; nil for any other value.
        public var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

        /// The UTF-8 of a string; nil for any other value.
        public var utf8: [UInt8]? {
            guard node.kind == .string else { return nil }
            return document.withTape { tape in tape.withString(node) { Array($0) } }
        }

        /// The boolean; nil for any other value.
        public var boolean: Bool? { node.kind == .boolean ? node.flag : nil }

        /// The text of a number, exactly as written; nil for any other value.
        public var number: String? {
            node.kind == .number ? String(decoding: source, as: UTF8.self) : nil
        }

        /// An integer that fits, including `1.0` and `1e2`; nil for any other value.
        public var integer: Int? {
            guard node.kind == .number else { return nil }
            return document.withTape { ExactNumber($0.bytes(node)).integer.map(Int.init) }
        }

        /// The elements of an array; empty for any other value.
        public var elements: [Value] {
            guard node.kind == .array else { return [] }
            var found: [Value] = []
            found.reserveCapacity(Int(node.count))
            var at = index + 1
            while at < node.next {
                found.append(Value(document: document, index: at))
                at = Int(document.nodes[at].next)
            }
            return found
        }

        /// A member of an object.
        public struct Member: Sendable {
            /// The member's name.
            public let name: String
            /// The member's value.
            public let value: Value
            /// The offset of the name's opening quote in the document, in bytes.
            public let offset: Int
        }

        /// The members of an object in the order of the text; empty for any other value.
        public var members: [Member] {
            guard node.kind == .object else { return [] }
            var found: [Member] = []
            found.reserveCapacity(Int(node.count))
            var at = index + 1
            while at < node.next {
                let name = Value(document: document, index: at)
                found.append(
                    Member(
                        name: name.string ?? "", value: Value(document: document, index: at + 1), offset: name.offset))
                at = Int(document.nodes[at + 1].next)
            }
            return found
        }

        /// Returns the value of a member; nil if there is none, or the value is not an object.
        public subscript(name: String) -> Value? {
            guard node.kind == .object else { return nil }
            var name = name
            let found = name.withUTF8 { name in document.withTape { TapeNames.value(of: name, in: index, $0) } }
            return found.map { Value(document: document, index: $0) }
        }

        /// Returns the value at a JSON pointer (RFC 6901) from here; nil if there is none. The empty pointer is the
        /// value itself.
        public subscript(pointer pointer: String) -> Value? { JSONPointer(pointer)?.find(from: self) }
    }
}

extension JSONDocument.Value {
    /// Returns whether two values are equal as JSON Schema defines it: numbers by value, objects without order.
    ///
    /// Values that are nested deeper than the thread's stack allows count as different.
    package func isEqual(to other: JSONDocument.Value) -> Bool {
        document.withTape { mine in
            other.document.withTape { theirs in
                var comparison = ValueComparison(steps: .max, stack: StackLimit())
                // The only possible error is the stack limit.
                return (try? comparison.areEqual(mine, at: index, theirs, at: other.index)) ?? false
            }
        }
    }
}

extension JSONDocument {
    /// Parses a complete text like ``init(_:limits:)``; nil if it is invalid.
    ///
    /// The only thing lost is the offset and the reason of the ``JSONTextError``. Call this where every invalid text has
    /// the same effect; call ``init(_:limits:)`` to report the error. Complexity: O(bytes).
    package convenience init?(validating bytes: some Sequence<UInt8>, limits: JSONLimits = .standard) {
        do { try self.init(bytes, limits: limits) } catch { return nil }
    }
}

extension JSONDocument {
    /// Returns a quoted and escaped JSON string.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(character.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
