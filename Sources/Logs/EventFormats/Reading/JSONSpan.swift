internal import EventModel
internal import JSONLines
internal import JSONSchema

/// A value of a line, with the bytes it is written in: no number is ever rounded, no escape changed.
///
/// It points into what ``LineReader`` reads, and is valid as long as that is.
struct JSONSpan {
    let nodes: UnsafePointer<TapeNode>
    let base: UnsafePointer<UInt8>
    let index: Int
    /// Whether there is no white space between values in the whole text.
    let isCompact: Bool

    /// What reads names and strings.
    var tape: TapeView { TapeView(nodes: nodes, text: base) }

    private var node: TapeNode { nodes[index] }

    /// Its type; `number` for every number.
    var kind: JSONKind { node.kind }

    /// Where its first byte stands, in bytes from the start of the text; of strings the quote.
    var offset: Int { node.kind == .string ? Int(node.start) - 1 : Int(node.start) }

    /// Where the first byte behind it stands.
    var end: Int { Int(node.start + node.length) + (node.kind == .string ? 1 : 0) }

    /// How many elements or members it has.
    var count: Int { Int(node.count) }

    /// Its bytes as they are written: of strings with their quotes.
    var source: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base + offset, count: end - offset) }

    /// Its bytes as they are written: of strings without their quotes, escapes not resolved.
    var content: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + Int(node.start), count: Int(node.length))
    }

    /// Whether it is a number without fraction and exponent.
    var isWholeNumber: Bool { node.kind == .number && node.flag }

    /// Calls `body` with the UTF-8 that a string stands for, or with the bytes of another value.
    func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        guard node.kind == .string, node.flag else { return try body(content) }
        return try tape.withString(node, body)
    }

    /// The value with this number in the list of all values.
    func at(_ index: Int) -> JSONSpan { JSONSpan(nodes: nodes, base: base, index: index, isCompact: isCompact) }

    /// The value behind this one and all that it holds.
    fileprivate var next: JSONSpan { at(Int(node.next)) }
}

extension JSONSpan {
    /// What an array or object holds, in its order.
    struct Children: Sequence, IteratorProtocol {
        fileprivate var at: JSONSpan
        fileprivate var left: Int

        /// The next element.
        mutating func next() -> JSONSpan? {
            guard left > 0 else { return nil }
            left -= 1
            defer { at = at.next }
            return at
        }
    }

    /// The members of an object, in its order.
    struct Members: Sequence, IteratorProtocol {
        fileprivate var children: Children

        mutating func next() -> (name: JSONSpan, value: JSONSpan)? {
            guard let name = children.next(), let value = children.next() else { return nil }
            return (name, value)
        }
    }

    /// The elements of an array; none for any other value.
    var elements: Children { Children(at: at(index + 1), left: kind == .array ? count : 0) }

    /// The members of an object; none for any other value.
    var members: Members { Members(children: Children(at: at(index + 1), left: kind == .object ? 2 * count : 0)) }

    /// Whether a string stands for this UTF-8.
    func isText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if node.flag { return withText { Bytes.areEqual($0, text) } }
        return content.count == text.count && Bytes.areEqual(content, text)
    }

    /// Whether a string stands for this text.
    func isText(_ text: StaticString) -> Bool { text.withUTF8Buffer { isText($0) } }

    /// What is wrong with the value, at its place.
    func issue(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, reason: reason) }

    /// The member of an object with this name.
    func member(_ name: UnsafeBufferPointer<UInt8>) -> JSONSpan? { members.first { $0.name.isText(name) }?.value }

    /// The member of an object with this name.
    func member(_ name: StaticString) -> JSONSpan? { name.withUTF8Buffer { member($0) } }

    /// The member of a line.
    func member(_ member: EnvelopeMember) -> JSONSpan? { self.member(member.name) }

    /// The member of an object with this name, if it is of this type.
    func member(_ name: StaticString, _ kind: JSONKind) -> JSONSpan? {
        member(name).flatMap { $0.kind == kind ? $0 : nil }
    }

    /// The element of an array with this number, from 0.
    func element(_ number: Int) -> JSONSpan? {
        guard number < count else { return nil }
        return elements.dropFirst(number).first { _ in true }
    }
}
