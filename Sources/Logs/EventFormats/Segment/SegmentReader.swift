internal import EventModel
internal import JSONSchema

/// Reads events back from the messages that `segment` has written; `SegmentFormat` says what stands where.
///
/// What has passed through other systems meanwhile gives the same line as long as these members stand for the same:
/// their order and the white space between them don't matter. Members that others have added are left out. A message
/// of another maker gives the members that it has something for.
package struct SegmentReader: EventReader {
    private var reader = LineReader()
    private var nested = LineReader()

    /// Makes a reader, for one thread at a time.
    package init() {}

    /// Appends the line of a message, without a line feed.
    ///
    /// - Parameter message: A track or page message.
    /// - Throws: `JSONSyntaxError` with the place in the message; nothing was appended then.
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
        guard let type = message.member("type") else { throw message.issue("a message of Segment has a type") }
        let isPage = type.isText("page")
        guard isPage || type.isText("track") else { throw type.issue("only track and page messages hold an event") }

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
        guard let name = message.member("event") else { throw message.issue("a track message has an event") }
        guard name.kind == .string else { throw name.issue("expected the event's name, a string") }
        return name
    }
}
