internal import Primitives

/// Parses one JSON text (RFC 8259) strictly: only white space before or after it, valid UTF-8, no repeated names in an
/// object (I-JSON, RFC 7493), at most 512 nested levels.
public struct JSONParser {
    private static let maximumNesting = 512

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    /// The byte ranges of the top-level object's values, in order.
    private var members: [Member] = []

    /// A member of the top-level object.
    public struct Member: Sendable {
        /// Its name.
        public let name: String
        /// The byte range of its value in the text.
        public let range: Range<Int>
    }

    /// Parses a whole text into a tree. Whole numbers that fit 64 bits become ``JSONValue/integer(_:)``,
    /// all others ``JSONValue/number(_:)``.
    ///
    /// - Throws: ``JSONSyntaxError`` with the offset of the first invalid byte.
    public static func parse(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) -> JSONValue {
        try parseWithMembers(bytes).value
    }

    /// Parses a whole text, and returns the byte ranges of the top-level object's members (none for other values).
    ///
    /// - Throws: ``JSONSyntaxError`` with the offset of the first invalid byte.
    public static func parseWithMembers(
        _ bytes: some Sequence<UInt8>
    ) throws(JSONSyntaxError) -> (value: JSONValue, members: [Member]) {
        let copy = ContiguousArray(bytes)
        let result: Result<(JSONValue, [Member]), JSONSyntaxError> = copy.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer)
            do throws(JSONSyntaxError) {
                let value = try parser.value(depth: 0)
                parser.skipWhitespace()
                guard parser.offset == buffer.count else { throw parser.error("expected the end of the line") }
                return .success((value, parser.members))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private func error(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset ?? self.offset, reason: reason)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipWhitespace()
        switch current {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"): return try number()
        case nil: throw error("the line ends where a value should be")
        default:
            guard digit != nil else { throw error("expected a value") }
            return try number()
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let start = offset
        for index in 0..<text.utf8CodeUnitCount where !consume(text.utf8Start[index]) {
            throw error("expected \(text)", at: start)
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.maximumNesting else { throw error("nested deeper than \(Self.maximumNesting) levels") }
        offset += 1
        var members: [String: JSONValue] = [:]
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else { throw error("expected a name in quotes") }
            let start = offset
            let name = try string()
            skipWhitespace()
            guard consume(UInt8(ascii: ":")) else { throw error("expected ':' after a name") }
            skipWhitespace()
            let valueStart = offset
            guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw error("duplicate name in an object", at: start)
            }
            if depth == 0 { self.members.append(Member(name: name, range: valueStart..<offset)) }
            skipWhitespace()
            if consume(UInt8(ascii: "}")) { return .object(members) }
            guard consume(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.maximumNesting else { throw error("nested deeper than \(Self.maximumNesting) levels") }
        offset += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipWhitespace()
            if consume(UInt8(ascii: "]")) { return .array(elements) }
            guard consume(UInt8(ascii: ",")) else { throw error("expected ',' or ']'") }
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = offset
        var isWhole = true
        _ = consume(UInt8(ascii: "-"))
        if consume(UInt8(ascii: "0")) {
            if digit != nil { throw error("a number must not start with 0") }
        } else {
            try digits()
        }
        if consume(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            isWhole = false
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            throw error("this number is too large for a double", at: start)
        }
        return .number(value)
    }

    private var digit: UInt8? {
        guard let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return byte
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard digit != nil else { throw error("expected a digit") }
        while digit != nil { offset += 1 }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        offset += 1
        let start = offset
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
        if consume(UInt8(ascii: "\"")) { return try text(bytes[start..<offset - 1], at: start) }
        offset = start
        return try escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var unescaped: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return try text(unescaped[...], at: start)
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &unescaped)
            case ..<0x20: throw error("a control character in a string must be escaped")
            default:
                unescaped.append(byte)
                offset += 1
            }
        }
        throw error("the line ends inside a string")
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = current else { throw error("the line ends inside a string") }
        let start = offset - 1
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else {
                    throw error("unpaired surrogate", at: start)
                }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw error("unpaired surrogate", at: start) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("unpaired surrogate", at: start) }
            unescaped.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw error("unknown escape", at: start)
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            code = code << 4 + UInt32(digit)
            offset += 1
        }
        return code
    }

    private func text(_ slice: some Collection<UInt8>, at start: Int) throws(JSONSyntaxError) -> String {
        guard let text = String(validUTF8: slice) else {
            throw error("a string is not valid UTF-8", at: invalidByte(from: start))
        }
        return text
    }

    /// The first byte from `start` on that is not UTF-8. Escapes are ASCII, so the raw bytes of the string are
    /// sufficient.
    private func invalidByte(from start: Int) -> Int {
        var position = start
        var iterator = bytes[start...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { position += scalar.count }
        return position
    }
}
