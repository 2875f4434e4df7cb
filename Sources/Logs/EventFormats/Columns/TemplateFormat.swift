internal import TextRendering

/// What a ``Template`` makes of each event, and a line feed.
///
/// An event's text is printed as a table shows it: what would end the line or drive a terminal is escaped, so that an
/// event is as many lines as the template has. `csv`, `tsv` and `jsonl` give exact text.
struct TemplateFormat: LineFormat {
    private let template: Template
    private var reader = LineReader()
    private var text: [UInt8] = []

    init(_ template: Template) { self.template = template }

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
                        text.escapeUnprintable()
                        output.append(contentsOf: text)
                    }
                }
            }
        }
        output.append(UInt8(ascii: "\n"))
    }
}

extension [UInt8] {
    /// Puts escapes in the place of what would move a terminal's cursor or end the line: see `String.printable`.
    mutating func escapeUnprintable() {
        guard contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return }
        self = Array(String(decoding: self, as: UTF8.self).printable.utf8)
    }
}
