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
/// With `isSpreadsheetSafe`, titles, strings and texts of `:pairs` that a spreadsheet would take for formulas get a `'` in
/// front, see ``SpreadsheetText``.
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

/// Text of RFC 4180: a comma between two fields, CRLF after every record, quotes around a field that is empty or holds a
/// comma, a quote or an end of line.
package enum CSVText {
    static let endOfRecord: [UInt8] = [0x0D, 0x0A]

    /// A record of these fields, with its end.
    ///
    /// - Parameter isSpreadsheetSafe: Whether fields that a spreadsheet would take for formulas get a `'` in front.
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

    /// Appends a field.
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
