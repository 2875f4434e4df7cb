/// Makes text safe for a terminal: scalars that would control the terminal are replaced by their JSON escape, `\u001b`.
///
/// These are all control characters except a tab, a line feed and a carriage return right before one; the line
/// separators U+2028 and U+2029; scalars that change the direction of text; and those without a glyph. Invalid UTF-8 is shown as U+FFFD.
///
/// Inside a JSON string, the escape means the same character, so you can still copy a line of JSON from the terminal.
/// Outside the strings of a line that begins with a brace or a bracket, a carriage return becomes a space, which is
/// equivalent there.
///
/// ```swift
/// var text = TerminalText()
/// for line in lines { text.append(line, to: &output) }
/// ```
package struct TerminalText: Sendable {
    /// The state of the current line.
    private struct Line {
        var isBegun = false
        var isJSON = false
        var isInString = false
        var isAfterBackslash = false
    }

    private var line = Line()

    /// Makes a converter for text from its beginning.
    package init() {}

    /// A text that a terminal can show safely.
    package static func shown(_ text: String) -> String {
        var terminalText = TerminalText()
        var output = [UInt8]()
        Array(text.utf8).withUnsafeBytes { terminalText.append($0, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the next part of the text. Don't split a character between two calls.
    package mutating func append(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        // Most lines are printable ASCII.
        guard text.contains(where: { $0 >= 0x7F || $0 < 0x20 && $0 != 0x0A && $0 != 0x09 }) else {
            output.append(contentsOf: text)
            for byte in text { follow(Unicode.Scalar(byte)) }
            return
        }
        var scalars = String(decoding: text, as: UTF8.self).unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            switch scalar {
            case "\n", "\t": Self.append(scalar, to: &output)
            case "\r" where next == "\n": Self.append(scalar, to: &output)
            case "\r" where line.isJSON && !line.isInString: output.append(UInt8(ascii: " "))
            case _ where scalar.drivesTerminal: output.append(contentsOf: scalar.jsonEscape.utf8)
            default: Self.append(scalar, to: &output)
            }
            follow(scalar)
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func follow(_ scalar: Unicode.Scalar) {
        if scalar == "\n" { return line = Line() }
        if !line.isBegun {
            line.isBegun = true
            line.isJSON = scalar == "{" || scalar == "["
        }
        if scalar == "\"", !line.isAfterBackslash { line.isInString.toggle() }
        line.isAfterBackslash = scalar == "\\" && !line.isAfterBackslash
    }
}
