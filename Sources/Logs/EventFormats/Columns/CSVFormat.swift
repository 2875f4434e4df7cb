/// `csv`: RFC 4180. A header, CRLF after every record, quotes where a field holds a comma, a quote or an end of line.
///
/// | in the line | in the field |
/// |---|---|
/// | nothing, or `null` | nothing |
/// | an empty string | `""` |
/// | a string | its text |
/// | anything else | its JSON, without white space |
///
/// Texts are exact, control characters in them too: a reader must take line feeds in quotes, and U+0000.
///
/// A record of one column is never an empty line: readers skip those, so nothing is `""` there too.
///
/// A spreadsheet takes a field that starts with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula,
/// whatever the quotes. With `guardsFormulas`, such *strings*, and such texts of `:pairs`, get a `'` in front, which
/// changes them; numbers never do.
struct CSVFormat: LineFormat {
    private let fields: [Field]
    private let guardsFormulas: Bool
    private var reader = LineReader()
    private var text: [UInt8] = []

    init(fields: [Field], guardsFormulas: Bool = false) {
        self.fields = fields
        self.guardsFormulas = guardsFormulas
    }

    mutating func begin(into output: inout [UInt8]) {
        output.append(contentsOf: CSVText.record(fields.map(\.title)))
    }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        try reader.read(line) { line in
            for (number, field) in fields.enumerated() {
                if number > 0 { output.append(UInt8(ascii: ",")) }
                text.removeAll(keepingCapacity: true)
                switch field.append(of: line, to: &text) {
                case .nothing: if fields.count == 1 { output.append(contentsOf: #""""#.utf8) }
                case .text:
                    if guardsFormulas, let first = text.first, Self.startsFormula(first) {
                        text.insert(UInt8(ascii: "'"), at: 0)
                    }
                    CSVText.append(text, to: &output)
                case .json: CSVText.append(text, to: &output)
                }
            }
        }
        output.append(contentsOf: CSVText.endOfRecord)
    }

    private static func startsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}
