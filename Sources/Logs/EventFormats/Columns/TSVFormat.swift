/// The `tsv` format (IANA text/tab-separated-values): a header, tabs between fields, and a line feed after every
/// record.
///
/// The format has no quotes, so tab, line feed, carriage return and backslash in fields are written as `\t`, `\n`,
/// `\r` and `\\`. Strings are written as text, other values as JSON. Missing values, `null` and empty strings are
/// empty fields.
///
/// With `isSpreadsheetSafe`, titles, strings and `:pairs` that a spreadsheet would read as formulas are prefixed with
/// `'`; see ``SpreadsheetText``.
struct TSVFormat: LineFormat {
    private let fields: [Field]
    private let isSpreadsheetSafe: Bool
    private var reader = LineReader()
    private var text: [UInt8] = []

    init(fields: [Field], isSpreadsheetSafe: Bool = false) {
        self.fields = fields
        self.isSpreadsheetSafe = isSpreadsheetSafe
    }

    mutating func begin(into output: inout [UInt8]) {
        for (number, field) in fields.enumerated() {
            if number > 0 { output.append(UInt8(ascii: "\t")) }
            var title = Array(field.title.utf8)
            if isSpreadsheetSafe { SpreadsheetText.makeSafe(&title) }
            Self.append(title, to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        try reader.read(line) { line in
            for (number, field) in fields.enumerated() {
                if number > 0 { output.append(UInt8(ascii: "\t")) }
                text.removeAll(keepingCapacity: true)
                let found = field.append(of: line, to: &text)
                if isSpreadsheetSafe, found == .text { SpreadsheetText.makeSafe(&text) }
                Self.append(text, to: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }

    private static func append(_ text: [UInt8], to output: inout [UInt8]) {
        guard text.contains(where: { escape($0) != nil }) else { return output.append(contentsOf: text) }
        for byte in text {
            if let letter = escape(byte) {
                output.append(UInt8(ascii: "\\"))
                output.append(letter)
            } else {
                output.append(byte)
            }
        }
    }

    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case UInt8(ascii: "\\"): UInt8(ascii: "\\")
        default: nil
        }
    }
}
