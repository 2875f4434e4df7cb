/// Replaces comments and string literals of Swift source with spaces. Line feeds and offsets stay.
struct SwiftBlanker {
    private let source: [UInt8]
    private var code: [UInt8]

    init(_ source: [UInt8]) {
        self.source = source
        code = source
    }

    mutating func blanked() -> [UInt8] {
        _ = skipCode(from: 0, inParentheses: false)
        return code
    }

    /// Scans code, and blanks comments and strings.
    ///
    /// - Parameter inParentheses: Whether to stop at an unmatched closing parenthesis, which ends an interpolation.
    /// - Returns: The offset of the end.
    private mutating func skipCode(from start: Int, inParentheses: Bool) -> Int {
        var index = start
        var depth = 0
        while index < source.count {
            if isAt(index, "//") {
                index = blank(from: index, to: endOfLine(index))
            } else if isAt(index, "/*") {
                index = blank(from: index, to: endOfComment(index))
            } else if let hashes = quote(at: index) {
                index = skipString(from: index, hashes: hashes)
            } else {
                if source[index] == UInt8(ascii: "(") { depth += 1 }
                if source[index] == UInt8(ascii: ")") {
                    if inParentheses && depth == 0 { return index }
                    depth -= 1
                }
                index += 1
            }
        }
        return index
    }

    /// Returns the number of `#` before the quote of a string that starts here; nil if no string starts here.
    private func quote(at index: Int) -> Int? {
        let hashes = source[index...].prefix { $0 == UInt8(ascii: "#") }.count
        return isAt(index + hashes, "\"") ? hashes : nil
    }

    /// Blanks a string literal with its interpolations. An unterminated literal ends with its line.
    private mutating func skipString(from start: Int, hashes: Int) -> Int {
        let isLong = isAt(start + hashes, #"""""#)
        let quotes = String(repeating: "\"", count: isLong ? 3 : 1)
        let mark = String(repeating: "#", count: hashes)
        var index = start + hashes + quotes.utf8.count
        while index < source.count {
            if isAt(index, quotes + mark) {
                return blank(from: start, to: index + quotes.utf8.count + hashes)
            } else if isAt(index, "\\\(mark)(") {
                index = skipCode(from: index + hashes + 2, inParentheses: true)
            } else if isAt(index, "\\\(mark)") {
                index += hashes + 2
            } else if !isLong, source[index] == UInt8(ascii: "\n") {
                break
            } else {
                index += 1
            }
        }
        return blank(from: start, to: min(index, source.count))
    }

    private func endOfLine(_ start: Int) -> Int {
        source[start...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
    }

    /// Returns the end of a comment, including nested comments.
    private func endOfComment(_ start: Int) -> Int {
        var depth = 0
        var index = start
        while index < source.count {
            if isAt(index, "/*") {
                depth += 1
                index += 2
            } else if isAt(index, "*/") {
                depth -= 1
                index += 2
                if depth == 0 { return index }
            } else {
                index += 1
            }
        }
        return index
    }

    private mutating func blank(from start: Int, to end: Int) -> Int {
        for index in start..<end where source[index] != UInt8(ascii: "\n") { code[index] = UInt8(ascii: " ") }
        return end
    }

    private func isAt(_ index: Int, _ text: String) -> Bool {
        source.count - index >= text.utf8.count && source[index...].starts(with: text.utf8)
    }
}
