/// What `-f` prints of each event: text with fields in it, `%{time:rfc3339} %{event.name}`.
///
/// | written | means |
/// |---|---|
/// | `%{event.value.page}` | the field, see ``Field``; empty if there is none or if it is `null` |
/// | `%{time:hour}` | the field in a view, see ``FieldView`` |
/// | `%{event.value.page:-none}` | the field, or the text after `:-` if there is none, up to the `}` |
/// | `%%`, `\n`, `\t`, `\\` | a percent sign, a line feed, a tab, a backslash |
package struct Template: Hashable, Sendable {
    /// A part of the text.
    enum Piece: Hashable, Sendable {
        case text([UInt8])
        case field(Field, otherwise: [UInt8])
    }

    let pieces: [Piece]

    /// Reads a template.
    ///
    /// - Throws: ``FieldSyntaxError`` with the column.
    package init(_ text: String) throws(FieldSyntaxError) {
        var scanner = FieldScanner(text)
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        while let byte = scanner.take() {
            if byte == UInt8(ascii: "%"), scanner.take("{") {
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = []
                pieces.append(try scanner.placeholder())
            } else {
                literal.append(try scanner.plain(byte))
            }
        }
        self.pieces = literal.isEmpty ? pieces : pieces + [.text(literal)]
    }
}

extension FieldScanner {
    /// What a byte outside of fields stands for, with the one after it where it escapes that.
    fileprivate mutating func plain(_ byte: UInt8) throws(FieldSyntaxError) -> UInt8 {
        switch byte {
        case UInt8(ascii: "%"):
            guard take("%") else { throw error("write %{path} for a field, or %% for a percent sign", at: offset - 1) }
            return byte
        case UInt8(ascii: "\\"):
            if take("n") { return 0x0A }
            if take("t") { return 0x09 }
            guard take("\\") else { throw error("write \\n, \\t, or \\\\ for a backslash", at: offset - 1) }
            return byte
        default: return byte
        }
    }

    /// What follows `%{`, up to the closing brace.
    fileprivate mutating func placeholder() throws(FieldSyntaxError) -> Template.Piece {
        let start = offset - 2
        let path = try path()
        guard path.isSingle else { throw error("* stands for many values, and one is printed", at: start) }
        var view: FieldView?
        var otherwise: [UInt8] = []
        while take(":") {
            if take("-") {
                while let byte = next, byte != UInt8(ascii: "}"), let byte = take() {
                    otherwise.append(try plain(byte))
                }
                break
            }
            guard view == nil else { throw error("one view of a value is enough") }
            view = try self.view()
        }
        guard take("}") else {
            throw isAtEnd ? error("the field has no closing }", at: start) : error("a } is missing")
        }
        return .field(Field(path: path, view: view, title: ""), otherwise: otherwise)
    }
}
