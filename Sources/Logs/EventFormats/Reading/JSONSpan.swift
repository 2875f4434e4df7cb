internal import EventModel
internal import JSONLines
internal import JSONSchema

/// A value of a line, as its original bytes: numbers are never rounded, escapes never changed.
///
/// Points into the memory of ``LineReader``, and is valid as long as that is.
struct JSONSpan {
    let nodes: UnsafePointer<TapeNode>
    let base: UnsafePointer<UInt8>
    let index: Int
    /// Whether the text has no white space between values.
    let isCompact: Bool

    /// Reads names and strings.
    var tape: TapeView { TapeView(nodes: nodes, text: base) }

    private var node: TapeNode { nodes[index] }

    /// The type; `number` for all numbers.
    var kind: JSONKind { node.kind }

    /// The offset of the first byte in the text; for strings, of the opening quote.
    var offset: Int { node.kind == .string ? Int(node.start) - 1 : Int(node.start) }

    /// The offset after the last byte.
    var end: Int { Int(node.start + node.length) + (node.kind == .string ? 1 : 0) }

    /// The number of elements or members.
    var count: Int { Int(node.count) }

    /// The original bytes; for strings, including the quotes.
    var source: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base + offset, count: end - offset) }

    /// The original bytes; for strings, without the quotes and with unresolved escapes.
    var content: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + Int(node.start), count: Int(node.length))
    }

    /// Whether the value is a number without fraction and exponent.
    var isWholeNumber: Bool { node.kind == .number && node.flag }

    /// Calls `body` with the UTF-8 of a string, or with the bytes of another value.
    func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        guard node.kind == .string, node.flag else { return try body(content) }
        return try tape.withString(node, body)
    }

    /// The value with this index in the list of all values.
    func at(_ index: Int) -> JSONSpan { JSONSpan(nodes: nodes, base: base, index: index, isCompact: isCompact) }

    /// The value after this one and its descendants.
    fileprivate var next: JSONSpan { at(Int(node.next)) }
}

extension JSONSpan {
    /// The children of an array or object, in order.
    struct Children: Sequence, IteratorProtocol {
        fileprivate var at: JSONSpan
        fileprivate var left: Int

        /// The next child.
        mutating func next() -> JSONSpan? {
            guard left > 0 else { return nil }
            left -= 1
            defer { at = at.next }
            return at
        }
    }

    /// The members of an object, in order.
    struct Members: Sequence, IteratorProtocol {
        fileprivate var children: Children

        mutating func next() -> (name: JSONSpan, value: JSONSpan)? {
            guard let name = children.next(), let value = children.next() else { return nil }
            return (name, value)
        }
    }

    /// The elements of an array; empty for other values.
    var elements: Children { Children(at: at(index + 1), left: kind == .array ? count : 0) }

    /// The members of an object; empty for other values.
    var members: Members { Members(children: Children(at: at(index + 1), left: kind == .object ? 2 * count : 0)) }

    /// Whether a string equals this UTF-8.
    func isText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if node.flag { return withText { Bytes.areEqual($0, text) } }
        return content.count == text.count && Bytes.areEqual(content, text)
    }

    /// Whether a string equals this text.
    func isText(_ text: StaticString) -> Bool { text.withUTF8Buffer { isText($0) } }

    func issue(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, reason: reason) }

    func member(_ name: UnsafeBufferPointer<UInt8>) -> JSONSpan? { members.first { $0.name.isText(name) }?.value }

    func member(_ name: StaticString) -> JSONSpan? { name.withUTF8Buffer { member($0) } }

    func member(_ member: EnvelopeMember) -> JSONSpan? { self.member(member.name) }

    /// The member with this name and type.
    func member(_ name: StaticString, _ kind: JSONKind) -> JSONSpan? {
        member(name).flatMap { $0.kind == kind ? $0 : nil }
    }

    /// The element of an array with this index.
    func element(_ number: Int) -> JSONSpan? {
        guard number < count else { return nil }
        return elements.dropFirst(number).first { _ in true }
    }
}
