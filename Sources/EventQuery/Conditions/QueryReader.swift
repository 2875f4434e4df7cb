internal import JSONLines

/// Reads paths and literals from what a person typed.
struct QueryReader {
    let source: String
    private(set) var rest: Substring

    init(_ source: String) {
        self.source = source
        rest = source[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Where it stands, in characters from 0.
    var offset: Int { source.distance(from: source.startIndex, to: rest.startIndex) }

    func error(_ reason: String, at offset: Int? = nil) -> QueryError {
        QueryError(source: source, offset: offset ?? self.offset, reason: reason)
    }

    mutating func skipSpace() { rest = rest.drop { $0.isWhitespace } }

    /// Steps over a text if it stands here.
    mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// Steps over a word if it stands here, and is not the start of a longer one.
    mutating func take(word: String) -> Bool {
        guard rest.hasPrefix(word), !(rest.dropFirst(word.count).first.map(Self.isInName) ?? false) else {
            return false
        }
        rest = rest.dropFirst(word.count)
        return true
    }

    /// Steps over the text up to one of these characters, or the end, and gives it without the space around it.
    mutating func text(upTo stops: Set<Character>) -> String {
        let text = rest.prefix { !stops.contains($0) }
        rest = rest.dropFirst(text.count)
        let start = text.drop { $0.isWhitespace }
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }

    static func isInName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }

    // MARK: Paths

    var isAtPath: Bool { rest.first.map { $0.isLetter || $0 == "_" || $0 == "." } ?? false }

    /// A path. A leading dot is stepped over: it stands before a name of any kind.
    mutating func path() throws(QueryError) -> MemberPath {
        let start = rest
        _ = take(".")
        var steps = [MemberPath.Step.member(try name())]
        while true {
            if take(".") {
                steps.append(.member(try name()))
            } else if take("[") {
                steps.append(.element(try index()))
            } else {
                let text = String(start[..<rest.startIndex])
                return MemberPath(steps: steps, description: text)
            }
        }
    }

    private mutating func name() throws(QueryError) -> TextPattern {
        if rest.first == "\"" { return TextPattern(exactly: try quoted()) }
        let name = rest.prefix(while: Self.isInName)
        guard !name.isEmpty else { throw error("expected a member's name, such as event.value.page") }
        rest = rest.dropFirst(name.count)
        return TextPattern(exactly: String(name))
    }

    private mutating func index() throws(QueryError) -> Int {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let index = Int(digits), index <= 1_000_000 else { throw error("expected an element's number, from 0") }
        rest = rest.dropFirst(digits.count)
        guard take("]") else { throw error("expected ']'") }
        return index
    }

    // MARK: Literals

    /// A text between quotes, single or double, with the escapes of JSON.
    mutating func quoted() throws(QueryError) -> String {
        let start = offset
        let quote = rest.removeFirst()
        var escaped = ""
        while let character = rest.popFirst() {
            if character == quote {
                guard let text = (try? JSONParser.parse("\"\(escaped)\"".utf8))?.stringValue else {
                    throw error("these are no escapes of JSON: write \\\\ for a backslash", at: start)
                }
                return text
            }
            if character == "\\", let next = rest.popFirst() {
                escaped += next == "'" ? "'" : "\\\(next)"
            } else {
                escaped += character == "\"" ? "\\\"" : String(character)
            }
        }
        throw error("the quote that opens here is never closed", at: start)
    }

    /// A number, if one stands here.
    mutating func number() throws(QueryError) -> (literal: Literal.Number, digits: String)? {
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0.isLetter || "+-.".contains($0)) }
        guard let first = digits.first, first.isNumber || first == "-" || first == "+" || first == "." else {
            return nil
        }
        var text = String(digits)
        let literal = text.withUTF8 { Literal.Number(UnsafeRawBufferPointer($0)) }
        guard let literal else { throw error("'\(digits)' is no number: write one as in JSON, or text in quotes") }
        rest = rest.dropFirst(digits.count)
        return (literal, text)
    }
}
