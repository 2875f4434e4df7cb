/// One value of a tape.
package struct TapeNode: BitwiseCopyable, Sendable {
    /// Exactly one bit, and never ``JSONKind/integer``.
    package var kind: JSONKind
    /// For strings: whether the bytes contain escapes. For numbers: whether there is neither fraction nor exponent. For
    /// booleans: the value.
    package var flag: Bool
    /// The offset of the first byte; for strings the byte after the quote.
    package var start: UInt32
    /// The length in bytes; for strings without the quotes.
    package var length: UInt32
    /// The index of the first node after this value.
    package var next: UInt32
    /// The number of elements or members.
    package var count: UInt32
}

/// A JSON text as a flat list of its values, each before its parts. A member is two nodes, its name and its value.
///
/// A tape that is reused for many texts allocates nothing once it is large enough.
package struct JSONTape: Sendable {
    package private(set) var nodes: [TapeNode] = []
    private var stack = StackLimit()

    package init() {}

    /// Forgets the thread: see ``StackLimit``.
    @inline(__always)
    mutating func begin() { stack.begin() }

    /// Returns whether another nested array or object fits the depth limit, and every 32 levels whether it fits the
    /// stack.
    @inline(__always)
    private mutating func hasRoom(_ depth: Int) -> Bool {
        depth > 0 && (depth & 31 != 15 || !stack.isReached(isDeep: true))
    }

    /// Reads one value, and moves the cursor after it.
    mutating func read(_ cursor: inout JSONCursor, limits: JSONLimits) throws(JSONSyntaxError) {
        nodes.removeAll(keepingCapacity: true)
        try value(&cursor, depth: limits.maximumDepth, limits: limits)
    }

    /// Reads a complete text: one value and white space.
    package mutating func read(
        _ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits
    ) throws(JSONTextError) {
        guard text.count <= limits.maximumBytes else { throw JSONTextError(.tooLong, at: limits.maximumBytes) }
        begin()
        var cursor = JSONCursor(text)
        do throws(JSONSyntaxError) {
            try read(&cursor, limits: limits)
            try cursor.finish()
        } catch {
            throw JSONTextError(error, at: cursor.offset)
        }
    }

    private mutating func value(
        _ cursor: inout JSONCursor, depth: Int, limits: JSONLimits
    ) throws(JSONSyntaxError) {
        switch cursor.peek() {
        case UInt8(ascii: "\""): try string(&cursor)
        case UInt8(ascii: "{"): try object(&cursor, depth: depth, limits: limits)
        case UInt8(ascii: "["): try array(&cursor, depth: depth, limits: limits)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(&cursor, limits: limits)
        case UInt8(ascii: "t"):
            let start = cursor.offset
            try cursor.literal("true")
            add(.boolean, flag: true, start: start, length: 4)
        case UInt8(ascii: "f"):
            let start = cursor.offset
            try cursor.literal("false")
            add(.boolean, flag: false, start: start, length: 5)
        case UInt8(ascii: "n"):
            let start = cursor.offset
            try cursor.literal("null")
            add(.null, flag: false, start: start, length: 4)
        default: throw .expectedValue
        }
    }

    private mutating func add(_ kind: JSONKind, flag: Bool, start: Int, length: Int) {
        nodes.append(
            TapeNode(
                kind: kind, flag: flag, start: UInt32(start), length: UInt32(length), next: UInt32(nodes.count + 1),
                count: 0))
    }

    private mutating func string(_ cursor: inout JSONCursor) throws(JSONSyntaxError) {
        let span = try cursor.string()
        add(.string, flag: span.hasEscapes, start: span.start - cursor.start, length: span.count)
    }

    private mutating func number(_ cursor: inout JSONCursor, limits: JSONLimits) throws(JSONSyntaxError) {
        let span = try cursor.number()
        if limits.isInteroperable, !InteroperableNumber.holds(span) {
            cursor.at = span.start
            throw .unsafeNumber
        }
        add(.number, flag: span.isWhole, start: span.start - cursor.start, length: span.count)
    }

    private mutating func array(
        _ cursor: inout JSONCursor, depth: Int, limits: JSONLimits
    ) throws(JSONSyntaxError) {
        guard hasRoom(depth) else { throw .tooDeep }
        let index = nodes.count
        add(.array, flag: false, start: cursor.offset, length: 0)
        cursor.at += 1
        var count: UInt32 = 0
        if cursor.peek() != UInt8(ascii: "]") {
            while true {
                try value(&cursor, depth: depth - 1, limits: limits)
                count += 1
                guard cursor.peek() == UInt8(ascii: ",") else { break }
                cursor.at += 1
            }
        }
        try cursor.consume(UInt8(ascii: "]"), or: .expectedCommaOrBracket)
        close(index, at: cursor.offset, count: count)
    }

    private mutating func object(
        _ cursor: inout JSONCursor, depth: Int, limits: JSONLimits
    ) throws(JSONSyntaxError) {
        guard hasRoom(depth) else { throw .tooDeep }
        let index = nodes.count
        add(.object, flag: false, start: cursor.offset, length: 0)
        cursor.at += 1
        var count: UInt32 = 0
        if cursor.peek() != UInt8(ascii: "}") {
            while true {
                guard cursor.peek() == UInt8(ascii: "\"") else { throw .expectedName }
                try string(&cursor)
                try cursor.consume(UInt8(ascii: ":"), or: .expectedColon)
                try value(&cursor, depth: depth - 1, limits: limits)
                count += 1
                guard cursor.peek() == UInt8(ascii: ",") else { break }
                cursor.at += 1
            }
        }
        try cursor.consume(UInt8(ascii: "}"), or: .expectedCommaOrBrace)
        close(index, at: cursor.offset, count: count)
        if limits.isInteroperable, count > 1, let name = repeatedName(of: index, in: cursor.start) {
            cursor.at = cursor.start + Int(nodes[name].start) - 1
            throw .repeatedName
        }
    }

    private mutating func close(_ index: Int, at end: Int, count: UInt32) {
        nodes[index].length = UInt32(end) - nodes[index].start
        nodes[index].next = UInt32(nodes.count)
        nodes[index].count = count
    }

    /// Returns the node of a duplicate name in an object.
    private func repeatedName(of object: Int, in text: UnsafePointer<UInt8>) -> Int? {
        nodes.withUnsafeBufferPointer { nodes in
            TapeNames.repeated(of: object, TapeView(nodes: nodes.baseAddress.unsafelyUnwrapped, text: text))
        }
    }
}

/// Pointers to a tape and its text, which the creator must keep alive.
// Sendable without a lock: the memory is never written while a view exists.
package struct TapeView: BitwiseCopyable, @unchecked Sendable {
    let nodes: UnsafePointer<TapeNode>
    let text: UnsafePointer<UInt8>

    package init(nodes: UnsafePointer<TapeNode>, text: UnsafePointer<UInt8>) {
        self.nodes = nodes
        self.text = text
    }

    @inline(__always)
    subscript(index: Int) -> TapeNode { nodes[index] }

    /// Returns the bytes of a value in the text; for strings without quotes and with escapes.
    @inline(__always)
    func bytes(_ node: TapeNode) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text + Int(node.start), count: Int(node.length))
    }

    /// Calls `body` with the unescaped bytes of a string.
    @inline(__always)
    package func withString<Result>(
        _ node: TapeNode, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        guard node.flag else { return try body(bytes(node)) }
        return try Unescape.withBytes(bytes(node), body)
    }
}

/// The names of an object's members on a tape.
package enum TapeNames {
    /// Returns the node of the first duplicate name in a whole tape.
    ///
    /// - Parameter count: The number of nodes on the tape.
    package static func repeated(_ tape: TapeView, count: Int) -> Int? {
        for index in 0..<count where tape[index].kind == .object && tape[index].count > 1 {
            if let name = repeated(of: index, tape) { return name }
        }
        return nil
    }

    /// Returns the node of the first duplicate name in an object.
    static func repeated(of object: Int, _ tape: TapeView) -> Int? {
        let node = tape[object]
        let count = Int(node.count)
        if count <= 12 {
            return withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { names in
                var at = object + 1
                for member in 0..<count {
                    for other in 0..<member where areEqual(tape[names[other]], tape[at], in: tape) { return at }
                    names[member] = at
                    at = Int(tape[at + 1].next)
                }
                return nil
            }
        }
        var seen = Set<[UInt8]>(minimumCapacity: count)
        var at = object + 1
        for _ in 0..<count {
            guard seen.insert(tape.withString(tape[at]) { Array($0) }).inserted else { return at }
            at = Int(tape[at + 1].next)
        }
        return nil
    }

    /// Returns the node of the value of the first member with a name; nil if the object has none.
    static func value(of name: UnsafeBufferPointer<UInt8>, in object: Int, _ tape: TapeView) -> Int? {
        var at = object + 1
        while at < tape[object].next {
            if tape.withString(tape[at], { Bytes.areEqual($0, name) }) { return at + 1 }
            at = Int(tape[at + 1].next)
        }
        return nil
    }

    /// Returns whether two strings have the same unescaped text.
    private static func areEqual(_ left: TapeNode, _ right: TapeNode, in tape: TapeView) -> Bool {
        if !left.flag, !right.flag { return Bytes.areEqual(tape.bytes(left), tape.bytes(right)) }
        return tape.withString(left) { left in tape.withString(right) { Bytes.areEqual(left, $0) } }
    }
}
