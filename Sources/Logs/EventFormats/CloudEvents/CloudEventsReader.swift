internal import EventModel
internal import Foundation
internal import JSONSchema

/// Reads events back from CloudEvents that the `cloudevents` format wrote; see `CloudEventsFormat` for the
/// attributes.
///
/// Other systems may reorder attributes, change white space and add attributes; the result is the same line. For events
/// of other producers, the line has only the members for which they have attributes.
package struct CloudEventsReader: EventReader {
    private var reader = LineReader()
    private var nested = LineReader()

    /// Creates a reader. Not thread-safe.
    package init() {}

    /// Appends the line of an event, without a line feed.
    ///
    /// - Parameter event: A CloudEvent in the JSON format.
    /// - Throws: `JSONSyntaxError` with the offset in the event; nothing was appended.
    package mutating func append(_ event: UnsafeRawBufferPointer, into line: inout [UInt8]) throws {
        try reader.read(event) { event in
            let version = event.member("specversion")
            guard let version, version.isText("1.0") else {
                throw (version ?? event).issue("unsupported specversion: a CloudEvent needs specversion 1.0")
            }
            if let carried = event.member("trackingline") {
                guard carried.kind == .string, let bytes = carried.withText({ Data(base64Encoded: Data(buffer: $0)) })
                else { throw carried.issue("expected Base64") }
                return try bytes.withUnsafeBytes {
                    try LineBuilder.append(carried: $0, at: carried, with: &nested, to: &line)
                }
            }
            try Self.rebuild(event, nested: &nested, into: &line)
        }
    }

    private static func rebuild(_ event: JSONSpan, nested: inout LineReader, into line: inout [UInt8]) throws {
        let id = try string("id", event)
        let source = try string("source", event)
        let type = try string("type", event)
        if let binary = event.member("data_base64") {
            throw binary.issue("unsupported data_base64: an event's value must be JSON in data")
        }

        var builder = LineBuilder(capacity: event.source.count)
        builder.member(.version, event.member("trackingversion"))
        builder.member(.id, id)
        if let installID = source.withText({ CloudEventSource.installID(source: $0) }) {
            builder.member(.installID, text: installID)
        }
        if let seq = event.member("trackingseq") { try builder.member(.seq, digits: seq) }
        builder.member(.sessionID, event.member("trackingsessionid"))
        builder.member(.userID, event.member("subject"))
        if let time = event.member("time") { try builder.time(time) }
        if let url = event.member("dataschema", .string),
            let schema = url.withText({ CloudEventSchema.schema(of: $0) })
        {
            builder.member(.schema, text: schema)
        }
        if let context = event.member("trackingcontext") {
            try builder.member(.context, json: context, with: &nested)
        }
        if let origin = event.member("trackingorigin") { try builder.member(.origin, json: origin, with: &nested) }
        builder.finish(name: Array(type.source), value: event.member("data"), to: &line)
    }

    private static func string(_ name: StaticString, _ event: JSONSpan) throws -> JSONSpan {
        guard let value = event.member(name) else { throw event.issue("missing attribute \(name)") }
        guard value.kind == .string, !value.content.isEmpty else { throw value.issue("expected a non-empty string") }
        return value
    }
}
