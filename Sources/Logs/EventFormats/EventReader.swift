/// Reads events back from another format: the way back of a ``LineFormat``.
package protocol EventReader: Sendable {
    /// Appends the line of an event, without a line feed.
    ///
    /// - Parameter event: One event in the other format.
    /// - Throws: `JSONSyntaxError` with the place in the event; nothing was appended then.
    mutating func append(_ event: UnsafeRawBufferPointer, into line: inout [UInt8]) throws
}
