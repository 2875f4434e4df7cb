/// Converts lines of events to another format. It does no I/O.
///
/// ```swift
/// var format = try OutputFormat.csv.lineFormat(options)
/// format.begin(into: &output)
/// for line in lines { try format.append(line, into: &output) }
/// format.end(into: &output)
/// ```
///
/// Calls only append to `output`. You may empty it between calls: writing it out when it is large keeps memory
/// constant. Formats are not thread-safe.
package protocol LineFormat: Sendable {
    /// Whether the format escapes control characters for terminals itself.
    var isPrintable: Bool { get }

    /// Appends the header, if any.
    mutating func begin(into output: inout [UInt8])

    /// Appends an event, or buffers it until a batch or a column width is complete.
    ///
    /// - Parameter line: One JSON object, without the line feed. Valid during the call only.
    /// - Throws: `JSONSyntaxError` if it is not a JSON object; nothing was appended, and you can continue with the
    ///   next line.
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws

    /// Appends buffered events and the footer, if any.
    mutating func end(into output: inout [UInt8])
}

extension LineFormat {
    package var isPrintable: Bool { false }

    package mutating func begin(into output: inout [UInt8]) {}

    package mutating func end(into output: inout [UInt8]) {}
}

/// Reads events back from another format: the inverse of ``LineFormat``.
package protocol EventReader: Sendable {
    /// Appends the line of an event, without a line feed.
    ///
    /// - Parameter event: One event in the other format.
    /// - Throws: `JSONSyntaxError` with the offset in the event; nothing was appended.
    mutating func append(_ event: UnsafeRawBufferPointer, into line: inout [UInt8]) throws
}

/// Options of a format. The defaults change nothing.
package struct FormatOptions: Sendable {
    /// The fields to show: columns of `csv`, `tsv` and `table`, members to keep in other formats; nil for all.
    package var fields: [Field]?
    /// The rules for redaction, which is applied first.
    package var redactions: [RedactionRule] = []
    /// Colors for `pretty`; nil for none.
    package var palette: Palette?
    /// The terminal's width in columns; nil without a terminal. On a terminal, `pretty`, `table` and templates also
    /// escape direction marks, and `table` truncates wide cells.
    package var terminalColumns: Int?
    /// Whether events arrive one by one, so that the first events are not a representative sample for column widths.
    package var isFollowing = false
    /// Whether `csv` and `tsv` protect strings that spreadsheets would read as formulas; see ``SpreadsheetText``.
    package var isSpreadsheetSafe = false
    /// The base of `dataschema` in `cloudevents`, followed by `search/1-0-0.json`.
    package var schemaBase = CloudEventsFormat.standardSchemaBase

    /// Creates the defaults.
    package init() {}
}

/// The error of conflicting options.
package struct FormatOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error and its correction.
    package let description: String
}

/// The `jsonl` format: each line byte for byte, and a line feed. Lines are not parsed.
struct JSONLinesFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}

/// The `json-seq` format: JSON text sequences (RFC 7464). Each line is preceded by a record separator (U+001E), so
/// that readers can recover after a torn line. Lines are not parsed.
struct JSONSequenceFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(0x1E)
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}
