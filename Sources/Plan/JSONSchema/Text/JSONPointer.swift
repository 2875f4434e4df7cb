/// A JSON pointer (RFC 6901): the path from one value to another.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The names and indexes on the path.
    public var tokens: [String]

    /// Makes a pointer from unescaped tokens.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Parses a pointer: empty, or tokens that each follow a `/`, with `~1` for `/` and `~0` for `~`; nil for any other
    /// text.
    public init?(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        var tokens: [String] = []
        var token: [UInt8]?
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            if byte == UInt8(ascii: "/") {
                if let token { tokens.append(String(decoding: token, as: UTF8.self)) }
                token = []
            } else if token == nil {
                return nil
            } else if byte == UInt8(ascii: "~") {
                switch bytes.next() {
                case UInt8(ascii: "0"): token?.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): token?.append(UInt8(ascii: "/"))
                default: return nil
                }
            } else {
                token?.append(byte)
            }
        }
        if let token { tokens.append(String(decoding: token, as: UTF8.self)) }
        self.tokens = tokens
    }

    /// The text in the form of RFC 6901: `/properties/a~1b`.
    public var description: String { tokens.map { "/" + Self.escape($0) }.joined() }

    /// Returns whether two pointers have the same Unicode scalars: é as one scalar differs from e with a combining
    /// accent.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes the pointer consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        for token in tokens { hasher.combine(Array(token.utf8)) }
    }

    /// Returns the pointer to a member or an element.
    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

    static func escape(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        var escaped = ""
        for character in token.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Returns the index of an element: digits without a sign and without a leading zero.
    static func index(_ token: String) -> Int? { Int(token).flatMap { String($0) == token ? $0 : nil } }

    func find(from value: JSONDocument.Value) -> JSONDocument.Value? {
        var value = value
        for token in tokens {
            if value.kind == .array {
                let elements = value.elements
                guard let index = Self.index(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            } else {
                guard let member = value[token] else { return nil }
                value = member
            }
        }
        return value
    }
}
