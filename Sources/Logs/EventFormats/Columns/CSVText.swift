/// Text of RFC 4180: a comma between two fields, CRLF after every record, quotes around a field that is empty or holds a
/// comma, a quote or an end of line.
package enum CSVText {
    static let endOfRecord: [UInt8] = [0x0D, 0x0A]

    /// A record of these fields, with its end.
    package static func record(_ fields: [String]) -> [UInt8] {
        var record: [UInt8] = []
        for (number, field) in fields.enumerated() {
            if number > 0 { record.append(UInt8(ascii: ",")) }
            append(Array(field.utf8), to: &record)
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
