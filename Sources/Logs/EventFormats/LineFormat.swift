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
    package mutating func begin(into output: inout [UInt8]) {}

    package mutating func end(into output: inout [UInt8]) {}
}
