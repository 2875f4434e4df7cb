internal import JSONLines

/// Why something that a person typed cannot be understood, and where.
package struct TypedTextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was typed.
    package let source: String
    /// The place of the fault, in characters from 0.
    package let offset: Int
    /// What is wrong and what to write.
    package let reason: String

    /// Column for people: from 1, in characters.
    package var column: Int { offset + 1 }

    /// The reason, and beneath it the text with a mark under the place.
    package var description: String {
        "column \(column): \(reason)\n  \(source)\n  \(String(repeating: " ", count: offset))^"
    }
}

/// Reads what a person typed, from its start to its end.
package struct TypedText {
    /// All of it.
    package let source: String
    /// What is still to be read.
    package private(set) var rest: Substring.UnicodeScalarView

    package init(_ source: String) {
        self.source = source
        rest = source.unicodeScalars[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// What comes next; nil at the end.
    package var next: Unicode.Scalar? { rest.first }

    /// Where it stands.
    package var location: String.Index { rest.startIndex }

    /// Says what is wrong at a place; where the reader stands unless another is given.
    package func error(_ reason: String, at location: String.Index? = nil) -> TypedTextError {
        TypedTextError(source: source, offset: source[..<(location ?? self.location)].count, reason: reason)
    }

    /// What has been read from a place on.
    package func text(from start: String.Index) -> String { String(source[start..<location]) }

    package mutating func skipSpace() { rest = rest.drop { $0.properties.isWhitespace } }

    /// Takes what comes next.
    package mutating func take() -> Unicode.Scalar? { rest.popFirst() }

    /// Steps over a text if it stands here.
    package mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    /// Steps over a word if it stands here, and is not the start of a longer one.
    package mutating func take(word: String) -> Bool {
        let behind = rest.dropFirst(word.unicodeScalars.count).first
        guard !(behind.map(Self.isInName) ?? false) else { return false }
        return take(word)
    }

    /// Takes all that comes next and is so.
    package mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(part)
    }

    /// Takes what a name without quotes can consist of; empty if none of it comes next.
    package mutating func takeName() -> String { take(while: Self.isInName) }

    /// Whether a name without quotes may have it.
    static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue || scalar.properties.numericType != nil
            || "-$@/".unicodeScalars.contains(scalar)
    }

    /// Takes a text between quotes, single or double, with the escapes of JSON. One of them comes next.
    package mutating func quoted() throws(TypedTextError) -> String {
        let start = location
        let quote = take()
        var escaped = ""
        while let scalar = take() {
            if scalar == quote {
                guard let text = (try? JSONParser.parse("\"\(escaped)\"".utf8))?.stringValue else {
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
