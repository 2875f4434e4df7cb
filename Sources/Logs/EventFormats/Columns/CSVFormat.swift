/// The `csv` format (RFC 4180): a header, CRLF after every record, and quotes around fields with a comma, a quote or
/// a line end.
///
/// | value | field |
/// |---|---|
/// | missing, or `null` | empty |
/// | an empty string | `""` |
/// | a string | its text |
/// | other | its JSON, without white space |
///
/// Texts are exact, including control characters: readers must support line feeds in quotes, and U+0000.
///
/// With a single column, an empty field is written as `""`, since readers skip empty lines.
///
/// With `isSpreadsheetSafe`, titles, strings and `:pairs` that a spreadsheet would read as formulas are prefixed with
/// `'`; see ``SpreadsheetText``.
struct CSVFormat: LineFormat {
    private let fields: [Field]
    private let isSpreadsheetSafe: Bool
    private var reader = LineReader()
    private var text: [UInt8] = []

    init(fields: [Field], isSpreadsheetSafe: Bool = false) {
        self.fields = fields
        self.isSpreadsheetSafe = isSpreadsheetSafe
    }

    mutating func begin(into output: inout [UInt8]) {
        output.append(contentsOf: CSVText.record(fields.map(\.title), isSpreadsheetSafe: isSpreadsheetSafe))
    }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        try reader.read(line) { line in
            for (number, field) in fields.enumerated() {
                if number > 0 { output.append(UInt8(ascii: ",")) }
                text.removeAll(keepingCapacity: true)
                switch field.append(of: line, to: &text) {
                case .nothing: if fields.count == 1 { output.append(contentsOf: #""""#.utf8) }
                case .text:
                    if isSpreadsheetSafe { SpreadsheetText.makeSafe(&text) }
                    CSVText.append(text, to: &output)
                case .json: CSVText.append(text, to: &output)
                }
            }
        }
        output.append(contentsOf: CSVText.endOfRecord)
    }
}

/// Writes RFC 4180: commas between fields, CRLF after every record, quotes around fields that are empty or contain a
/// comma, a quote or a line end.
package enum CSVText {
    static let endOfRecord: [UInt8] = [0x0D, 0x0A]

    /// A record of fields with its line end.
    ///
    /// - Parameter isSpreadsheetSafe: Whether to prefix fields that a spreadsheet would read as formulas with `'`.
    package static func record(_ fields: [String], isSpreadsheetSafe: Bool) -> [UInt8] {
        var record: [UInt8] = []
        for (number, field) in fields.enumerated() {
            if number > 0 { record.append(UInt8(ascii: ",")) }
            var text = Array(field.utf8)
            if isSpreadsheetSafe { SpreadsheetText.makeSafe(&text) }
            append(text, to: &record)
        }
        return record + endOfRecord
    }

    static func append(_ field: [UInt8], to output: inout [UInt8]) {
        guard field.isEmpty || field.contains(where: needsQuotes) else { return output.append(contentsOf: field) }
        output.append(UInt8(ascii: "\""))
        for part in field.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false) {
            if part.startIndex > 0 { output.append(contentsOf: #""""#.utf8) }
            output.append(contentsOf: part)
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
}
