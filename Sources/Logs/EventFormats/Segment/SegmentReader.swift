internal import EventModel
internal import JSONSchema

/// Reads events back from messages that the `segment` format wrote; see `SegmentFormat` for the mapping.
///
/// Other systems may reorder members, change white space and add members; the result is the same line. For messages of
/// other producers, the line has only the members for which they have values.
package struct SegmentReader: EventReader {
    private var reader = LineReader()
    private var nested = LineReader()

    /// Creates a reader. Not thread-safe.
    package init() {}

    /// Appends the line of a message, without a line feed.
    ///
    /// - Parameter message: A track or page message.
    /// - Throws: `JSONSyntaxError` with the offset in the message; nothing was appended.
    package mutating func append(_ message: UnsafeRawBufferPointer, into line: inout [UInt8]) throws {
        try reader.read(message) { message in
            let kept = message.member("context")?.member("tracking")
            if let carried = kept?.member("line") {
                guard carried.kind == .string else { throw carried.issue("expected a string") }
                return try carried.withText {
                    try LineBuilder.append(
                        carried: UnsafeRawBufferPointer($0), at: carried, with: &nested, to: &line)
                }
            }
            try Self.rebuild(message, kept, into: &line)
        }
    }

    private static func rebuild(_ message: JSONSpan, _ kept: JSONSpan?, into line: inout [UInt8]) throws {
        guard let type = message.member("type") else { throw message.issue("a Segment message needs a type") }
        let isPage = type.isText("page")
        guard isPage || type.isText("track") else { throw type.issue("unsupported type: use track or page") }

        var builder = LineBuilder(capacity: message.source.count)
        builder.member(.version, kept?.member(.version))
        builder.member(.id, message.member("messageId"))
        builder.member(.installID, message.member("anonymousId"))
        builder.member(.seq, kept?.member(.seq))
        builder.member(.sessionID, kept?.member(.sessionID))
        builder.member(.userID, message.member("userId"))
        if let time = message.member("timestamp") { try builder.time(time) }
        builder.member(.schema, kept?.member(.schema))
        builder.member(.context, kept?.member(.context))
        builder.member(.origin, kept?.member(.origin))

        let name = isPage ? Array("\"\(SegmentFormat.pageEvent)\"".utf8) : Array(try eventName(message).source)
        builder.finish(name: name, value: message.member("properties"), to: &line)
    }

    private static func eventName(_ message: JSONSpan) throws -> JSONSpan {
        guard let name = message.member("event") else { throw message.issue("a track message needs an event") }
        guard name.kind == .string else { throw name.issue("event must be a string") }
        return name
    }
}
