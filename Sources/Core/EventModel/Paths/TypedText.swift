internal import JSONLines

/// A syntax error in a text that a user typed, with its position.
package struct TypedTextError: Error, Equatable, Sendable, CustomStringConvertible {
    package let source: String
    /// The position of the error, in characters from 0.
    package let offset: Int
    /// What is wrong and what to type instead.
    package let reason: String

    /// The column, from 1, in characters.
    package var column: Int { offset + 1 }

    /// The reason, then the text with a mark below the position.
    package var description: String {
        "column \(column): \(reason)\n  \(source)\n  \(String(repeating: " ", count: offset))^"
    }
}

/// Parses a text that a user typed.
package struct TypedText {
    package let source: String
    /// The text that is still to be parsed.
    package private(set) var rest: Substring.UnicodeScalarView

    package init(_ source: String) {
        self.source = source
        rest = source.unicodeScalars[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The next scalar; nil at the end.
    package var next: Unicode.Scalar? { rest.first }

    /// The current position.
    package var location: String.Index { rest.startIndex }

    /// Makes an error at a position; by default at the current one.
    package func error(_ reason: String, at location: String.Index? = nil) -> TypedTextError {
        TypedTextError(source: source, offset: source[..<(location ?? self.location)].count, reason: reason)
    }

    /// The text parsed since a position.
    package func text(from start: String.Index) -> String { String(source[start..<location]) }

    package mutating func skipSpace() { rest = rest.drop { $0.properties.isWhitespace } }

    /// Consumes the next scalar.
    package mutating func take() -> Unicode.Scalar? { rest.popFirst() }

    /// Consumes a text if it comes next.
    package mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    /// Consumes a word if it comes next and is not the start of a longer word.
    package mutating func take(word: String) -> Bool {
        let behind = rest.dropFirst(word.unicodeScalars.count).first
        guard !(behind.map(Self.isInName) ?? false) else { return false }
        return take(word)
    }

    /// Consumes all following scalars that satisfy a condition.
    package mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(part)
    }

    /// Consumes an unquoted name; empty if none comes next.
    package mutating func takeName() -> String { take(while: Self.isInName) }

    /// Whether an unquoted name may contain the scalar.
    static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue || scalar.properties.numericType != nil
            || "-$@/".unicodeScalars.contains(scalar)
    }

    /// Consumes a text between single or double quotes, with JSON escapes. A quote must come next.
    package mutating func quoted() throws(TypedTextError) -> String {
        let start = location
        let quote = take()
        var escaped = ""
        while let scalar = take() {
            if scalar == quote {
                guard let text = JSONValue(validating: "\"\(escaped)\"".utf8)?.stringValue else {
                    throw error("invalid JSON escape: write \\\\ for a backslash", at: start)
                }
                return text
            }
            if scalar == "\\", let next = take() {
                escaped += next == "'" ? "'" : "\\\(next)"
            } else {
                escaped += scalar == "\"" ? "\\\"" : String(scalar)
            }
        }
        throw error("missing closing quote", at: start)
    }
}
