/// Text on its way to a terminal: what would drive the terminal is shown as JSON's escape of it, `\u001b`.
///
/// That is every control character but a tab, a line feed and the carriage return right before one; what ends lines
/// (U+2028, U+2029); and what turns the direction of text. Bytes that are no UTF-8 are shown as U+FFFD.
///
/// In a string of JSON the escape is the same string, so that a line of JSON can still be copied from the terminal. Around
/// the values of a line that begins with a brace or a bracket, a carriage return becomes a space, which is the same there.
///
/// ```swift
/// var text = TerminalText()
/// for line in lines { text.append(line, to: &output) }
/// ```
package struct TerminalText: Sendable {
    /// What is known of a line so far.
    private struct Line {
        var isBegun = false
        var isJSON = false
        var isInString = false
        var isAfterBackslash = false
    }

    private var line = Line()

    /// Makes one for text from its beginning.
    package init() {}

    /// A text as a terminal may show it.
    package static func shown(_ text: String) -> String {
        var (terminalText, output) = (TerminalText(), [UInt8]())
        Array(text.utf8).withUnsafeBytes { terminalText.append($0, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends what follows of the text; no character may be divided between two calls.
    package mutating func append(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        // Lines of printable ASCII are the rule.
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
