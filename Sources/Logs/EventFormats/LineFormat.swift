/// Turns lines of events, one after the other, into bytes of another format. It does no I/O.
///
/// ```swift
/// var format = try OutputFormat.csv.lineFormat(options)
/// format.begin(into: &output)
/// for line in lines { try format.append(line, into: &output) }
/// format.end(into: &output)
/// ```
///
/// What is in `output` before a call stays as it is, and the caller may empty it between calls: to write it out
/// whenever it has grown large is all that keeps memory flat. A format is used by one thread at a time.
package protocol LineFormat: Sendable {
    /// Whether it escapes by itself what would drive a terminal: what is left is to be shown as it is.
    var isPrintable: Bool { get }

    /// Appends what stands before the first event.
    mutating func begin(into output: inout [UInt8])

    /// Appends an event, or keeps it until there is enough for a batch or a column's width.
    ///
    /// - Parameter line: One JSON object, without the line feed; valid during the call only.
    /// - Throws: `JSONSyntaxError` if it is none; nothing was appended then, and the next line can follow.
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws

    /// Appends what was kept, and what stands after the last event.
    mutating func end(into output: inout [UInt8])
}

extension LineFormat {
    package var isPrintable: Bool { false }

    package mutating func begin(into output: inout [UInt8]) {}

    package mutating func end(into output: inout [UInt8]) {}
}

/// Reads events back from another format: the way back of a ``LineFormat``.
package protocol EventReader: Sendable {
    /// Appends the line of an event, without a line feed.
    ///
    /// - Parameter event: One event in the other format.
    /// - Throws: `JSONSyntaxError` with the place in the event; nothing was appended then.
    mutating func append(_ event: UnsafeRawBufferPointer, into line: inout [UInt8]) throws
}

/// What a person may choose about a format; the defaults change nothing.
package struct FormatOptions: Sendable {
    /// What is shown of each event: the columns of `csv`, `tsv` and `table`, the members that other formats narrow a
    /// line to; nil for all.
    package var fields: [Field]?
    /// What must not get out; before anything else is done with a line.
    package var redactions: [RedactionRule] = []
    /// Colours for `pretty`; nil for none.
    package var palette: Palette?
    /// How many columns the terminal has; nil if there is none. On one, formats for people escape marks of direction,
    /// too, and `table` cuts what is wider.
    package var terminalColumns: Int?
    /// Whether events come one by one, so that the first ones say little about the width of columns.
    package var isFollowing = false
    /// Whether `csv` and `tsv` keep spreadsheets from taking strings for formulas, see ``SpreadsheetText``.
    package var isSpreadsheetSafe = false
    /// Where `dataschema` of `cloudevents` leads: in front of `search/1-0-0.json`.
    package var schemaBase = CloudEventsFormat.standardSchemaBase

    /// Makes the defaults.
    package init() {}
}

/// Options that do not go together.
package struct FormatOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    package let description: String
}
