internal import JSONSchema
internal import TextRendering

/// The `pretty` format: JSON indented by two spaces per level, with members and numbers as in the line.
///
/// Unprintable characters in strings are shown as JSON escapes (`\u009b`), which are equivalent in JSON and harmless
/// in a terminal. On a terminal, direction marks are escaped, too.
struct PrettyFormat: LineFormat {
    /// How values are shown.
    private struct Style {
        let palette: Palette?
        let isOnTerminal: Bool
    }

    private let style: Style
    private var reader = LineReader()

    init(palette: Palette? = nil, isOnTerminal: Bool = false) {
        style = Style(palette: palette, isOnTerminal: isOnTerminal)
    }

    var isPrintable: Bool { true }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let style = style
        try reader.read(line) { Self.append($0, level: 0, style, to: &output) }
        output.append(UInt8(ascii: "\n"))
    }

    private static func append(_ value: JSONSpan, level: Int, _ style: Style, to output: inout [UInt8]) {
        switch value.kind {
        case .object where value.count > 0:
            output.append(UInt8(ascii: "{"))
            for (number, member) in value.members.enumerated() {
                startLine(number, level: level + 1, to: &output)
                appendString(member.name, style: style, colour: style.palette?.name, to: &output)
                output.append(contentsOf: ": ".utf8)
                append(member.value, level: level + 1, style, to: &output)
            }
            endLine(level: level, with: "}", to: &output)
        case .array where value.count > 0:
            output.append(UInt8(ascii: "["))
            for (number, element) in value.elements.enumerated() {
                startLine(number, level: level + 1, to: &output)
                append(element, level: level + 1, style, to: &output)
            }
            endLine(level: level, with: "]", to: &output)
        case .object: output.append(contentsOf: "{}".utf8)
        case .array: output.append(contentsOf: "[]".utf8)
        case .string: appendString(value, style: style, colour: style.palette?.string, to: &output)
        case .number: appendScalar(value, style: style, colour: style.palette?.number, to: &output)
        default: appendScalar(value, style: style, colour: style.palette?.literal, to: &output)
        }
    }

    private static func startLine(_ number: Int, level: Int, to output: inout [UInt8]) {
        if number > 0 { output.append(UInt8(ascii: ",")) }
        indent(level, to: &output)
    }

    private static func endLine(level: Int, with bracket: Unicode.Scalar, to output: inout [UInt8]) {
        indent(level, to: &output)
        output.append(UInt8(ascii: bracket))
    }

    private static func indent(_ level: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private static func appendScalar(
        _ value: JSONSpan, style: Style, colour: String?, to output: inout [UInt8]
    ) {
        if let colour { output.append(contentsOf: colour.utf8) }
        output.append(contentsOf: value.source)
        if let palette = style.palette { output.append(contentsOf: palette.reset.utf8) }
    }

    private static func appendString(
        _ value: JSONSpan, style: Style, colour: String?, to output: inout [UInt8]
    ) {
        // Fast path for printable ASCII.
        if value.content.allSatisfy({ $0 < 0x7F }) {
            return appendScalar(value, style: style, colour: colour, to: &output)
        }
        if let colour { output.append(contentsOf: colour.utf8) }
        for scalar in String(decoding: value.source, as: UTF8.self).unicodeScalars {
            let isEscaped = style.isOnTerminal ? scalar.drivesTerminal : scalar.isUnprintable
            output.append(contentsOf: (isEscaped ? scalar.jsonEscape : String(scalar)).utf8)
        }
        if let palette = style.palette { output.append(contentsOf: palette.reset.utf8) }
    }
}

/// The SGR sequences (ECMA-48) before and after each kind of text.
package struct Palette: Sendable {
    /// Before member names.
    package let name: String
    /// Before strings.
    package let string: String
    /// Before numbers.
    package let number: String
    /// Before `true`, `false` and `null`.
    package let literal: String
    /// After each of them.
    package let reset: String

    /// Creates a palette.
    package init(name: String, string: String, number: String, literal: String, reset: String) {
        self.name = name
        self.string = string
        self.number = number
        self.literal = literal
        self.reset = reset
    }

    /// Names blue, strings green, numbers cyan, literals magenta: readable on dark and on light backgrounds.
    package static let standard = Palette(
        name: "\u{1B}[34m", string: "\u{1B}[32m", number: "\u{1B}[36m", literal: "\u{1B}[35m", reset: "\u{1B}[0m")
}
