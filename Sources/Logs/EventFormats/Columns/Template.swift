package import EventModel
internal import TextRendering

/// The template of `-f`: text with fields, such as `%{time:rfc3339} %{event.name}`.
///
/// | placeholder | meaning |
/// |---|---|
/// | `%{event.value.page}` | the field, see ``Field``; empty if it is missing or `null` |
/// | `%{time:hour}` | the field in a view, see ``FieldView`` |
/// | `%{event.value.page:-none}` | the field, or the text between `:-` and `}` if it is missing |
/// | `%%`, `\n`, `\t`, `\\` | a percent sign, a line feed, a tab, a backslash |
package struct Template: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case text([UInt8])
        case field(Field, otherwise: [UInt8])
    }

    let pieces: [Piece]

    /// Parses a template.
    ///
    /// - Throws: `TypedTextError` with the column.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        while !reader.isAtEnd {
            if reader.take("%{") {
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = []
                pieces.append(try reader.placeholder())
            } else {
                literal += try reader.plain()
            }
        }
        self.pieces = literal.isEmpty ? pieces : pieces + [.text(literal)]
    }
}

extension TypedText {
    /// Reads one character or escape outside of fields; returns the bytes that it represents.
    fileprivate mutating func plain() throws(TypedTextError) -> [UInt8] {
        let start = location
        switch take() {
        case "%"?:
            guard take("%") else { throw error("write %{path} for a field, or %% for a percent sign", at: start) }
            return [UInt8(ascii: "%")]
        case "\\"?:
            if take("n") { return [0x0A] }
            if take("t") { return [0x09] }
            guard take("\\") else { throw error("write \\n, \\t, or \\\\ for a backslash", at: start) }
            return [UInt8(ascii: "\\")]
        case let other: return other.map { Array(String($0).utf8) } ?? []
        }
    }

    /// Reads a field after `%{`, up to the closing brace.
    fileprivate mutating func placeholder() throws(TypedTextError) -> Template.Piece {
        let start = source.unicodeScalars.index(location, offsetBy: -2)
        let path = try path()
        var view: FieldView?
        var otherwise: [UInt8] = []
        while take(":") {
            if take("-") {
                while !isAtEnd, next != "}" { otherwise += try plain() }
                break
            }
            guard view == nil else { throw error("a field can have only one view") }
            view = try self.view()
        }
        guard take("}") else {
            throw isAtEnd ? error("the field has no closing }", at: start) : error("expected }")
        }
        return .field(Field(path: path, view: view), otherwise: otherwise)
    }
}

/// Writes a template for each event, followed by a line feed.
///
/// Text from events is escaped as in tables, so that each event has as many lines as the template. Use `csv`, `tsv`
/// or `jsonl` for exact text. The template's own text is written unchanged and may contain colors.
struct TemplateFormat: LineFormat {
    private let template: Template
    private let isOnTerminal: Bool
    private var reader = LineReader()
    private var text: [UInt8] = []

    init(_ template: Template, isOnTerminal: Bool = false) {
        self.template = template
        self.isOnTerminal = isOnTerminal
    }

    var isPrintable: Bool { true }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        try reader.read(line) { line in
            for piece in template.pieces {
                switch piece {
                case .text(let literal): output.append(contentsOf: literal)
                case .field(let field, let otherwise):
                    text.removeAll(keepingCapacity: true)
                    if case .nothing = field.append(of: line, to: &text) {
                        output.append(contentsOf: otherwise)
                    } else {
                        text.escapeUnprintable(onTerminal: isOnTerminal)
                        output.append(contentsOf: text)
                    }
                }
            }
        }
        output.append(UInt8(ascii: "\n"))
    }
}

extension [UInt8] {
    /// Escapes characters that would move a terminal's cursor or end the line; see `String.printable`.
    ///
    /// - Parameter onTerminal: Whether to escape direction marks, too.
    mutating func escapeUnprintable(onTerminal: Bool) {
        guard contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return }
        let text = String(decoding: self, as: UTF8.self)
        self = Array((onTerminal ? text.printableOnTerminal : text.printable).utf8)
    }
}
