/// The body of an enum in a file: its cases, and where to insert another one.
struct EnumBody {
    private let code: SwiftCode
    private let start: Int
    private let opening: Int
    private let closing: Int
    /// The cases, in the order of the text.
    let cases: [EnumCase]
    /// The range of the last case's declaration; nil if there is no case.
    private let last: Range<Int>?

    /// Whether cases or other members depend on `#if`. A conditional enum is read, but not changed.
    let isConditional: Bool

    /// Reads the body of an enum; nil if its brackets are unbalanced.
    init?(_ type: SwiftType, in code: SwiftCode) {
        guard type.keyword == "enum", let opening = type.opening, let closing = code.closing(of: opening) else {
            return nil
        }
        self.code = code
        self.opening = opening
        self.closing = closing
        start = type.start
        isConditional = code.code[opening..<closing].contains(UInt8(ascii: "#"))
        guard let found = Self.cases(of: code, opening + 1..<closing) else { return nil }
        (cases, last) = found
    }

    private static func cases(of code: SwiftCode, _ body: Range<Int>) -> ([EnumCase], Range<Int>?)? {
        var cases: [EnumCase] = []
        var last: Range<Int>?
        var index = body.lowerBound
        while index < body.upperBound {
            let byte = code.code[index]
            if "([{".utf8.contains(byte) {
                guard let closing = code.closing(of: index) else { return nil }
                index = closing + 1
            } else if SwiftCode.isWordByte(byte) {
                let word = word(code, index)
                if word.text == "case" {
                    guard let end = read(code, from: word.end, into: &cases) else { return nil }
                    last = index..<end
                    index = end
                } else {
                    index = word.end
                }
            } else {
                index += 1
            }
        }
        return (cases, last)
    }

    /// Reads the names after `case`, with associated values, raw values and commas.
    ///
    /// - Returns: The end of the declaration; nil if it is not a case declaration.
    private static func read(_ code: SwiftCode, from start: Int, into cases: inout [EnumCase]) -> Int? {
        var index = start
        while true {
            index = code.skippingSpace(from: index)
            let isEscaped = index < code.code.count && code.code[index] == UInt8(ascii: "`")
            let name = word(code, isEscaped ? index + 1 : index)
            guard !name.text.isEmpty else { return nil }
            var end = isEscaped ? name.end + 1 : name.end
            let hasValues = end < code.code.count && code.code[end] == UInt8(ascii: "(")
            if hasValues {
                guard let closing = code.closing(of: end) else { return nil }
                end = closing + 1
            }
            cases.append(EnumCase(name: name.text, hasValues: hasValues))
            var next = code.skippingSpace(from: end)
            guard next < code.code.count else { return end }
            if code.code[next] == UInt8(ascii: "=") {
                // A raw value is one literal, and ends on its line.
                end = code.code[next...].firstIndex { ",;\n}".utf8.contains($0) } ?? code.code.count
                next = code.skippingSpace(from: end)
                guard next < code.code.count else { return end }
            }
            guard code.code[next] == UInt8(ascii: ",") else { return end }
            index = next + 1
        }
    }

    private static func word(_ code: SwiftCode, _ start: Int) -> SwiftWord {
        let bytes = code.code[start...].prefix(while: SwiftCode.isWordByte)
        return SwiftWord(text: String(decoding: bytes, as: UTF8.self), start: start)
    }

    /// Returns the file with a case inserted after the last one; nil if the enum is conditional, or if the result would
    /// not be this enum with one more case.
    ///
    /// - Parameter name: The name in Swift source, with backticks if it needs them.
    func source(adding name: String) -> [UInt8]? {
        guard !isConditional else { return nil }
        var source = code.source
        let indent = indent(at: start)
        if let last, let end = endOfLine(behind: last.upperBound) {
            let isFirstOnLine = self.indent(at: last.lowerBound).count == last.lowerBound - startOfLine(last.lowerBound)
            let inner = isFirstOnLine ? self.indent(at: last.lowerBound) : indent + "    "
            source.insert(contentsOf: "\(newline)\(inner)case \(name)".utf8, at: end)
        } else {
            let inside = String(decoding: code.source[opening + 1..<closing], as: UTF8.self)
            let rest = inside.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
            let lines = (rest.isEmpty ? [] : [String(rest)]) + ["case \(name)"]
            let body = lines.map { "\(newline)\(indent)    \($0)" }.joined() + newline + indent
            source.replaceSubrange(opening + 1..<closing, with: body.utf8)
        }
        let changed = SwiftCode(source)
        let bare = EnumCase(name: name.filter { $0 != "`" }, hasValues: false)
        guard let type = changed.types().first(where: { $0.start == start }),
            EnumBody(type, in: changed)?.cases == cases + [bare]
        else { return nil }
        return source
    }

    private var newline: String { code.source.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n" }

    private func startOfLine(_ offset: Int) -> Int {
        (code.source[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    }

    private func indent(at offset: Int) -> String {
        let line = code.source[startOfLine(offset)..<offset]
        return String(decoding: line.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }

    /// Returns the end of an offset's line, without its line feed, if only white space follows the offset; else nil.
    private func endOfLine(behind offset: Int) -> Int? {
        let rest = code.code[offset...].prefix { $0 != UInt8(ascii: "\n") }
        guard rest.allSatisfy(SwiftCode.isSpace), rest.endIndex < closing else { return nil }
        return rest.last == UInt8(ascii: "\r") ? rest.endIndex - 1 : rest.endIndex
    }
}

struct EnumCase: Hashable {
    /// The name without backticks.
    let name: String
    /// Whether it has associated values.
    let hasValues: Bool
}
