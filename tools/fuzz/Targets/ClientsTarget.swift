internal import CollectorIntake
internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import Foundation

/// Requests of other systems' clients: any bytes are messages or are rejected; each message becomes an event or a
/// rejection, and the same bytes always give the same.
///
/// An input is the request itself: each protocol has a target of its own.
package class ClientsTarget {
    private let client: ClientProtocol
    private let intake: ClientIntake
    private let read: (_ bytes: [UInt8]) throws(DeliveryProblem) -> [ClientMessage]

    init(_ client: ClientProtocol, _ read: @escaping (_ bytes: [UInt8]) throws(DeliveryProblem) -> [ClientMessage])
        throws
    {
        (self.client, self.read) = (client, read)
        intake = ClientIntake(Intake(try SchemaKeeper(folder: nil)), try ClientMappings())
    }

    func run(_ bytes: UnsafeRawBufferPointer) throws {
        let request = Array(bytes)
        let messages: [ClientMessage]
        do throws(DeliveryProblem) { messages = try read(request) } catch {
            return try require(
                [.malformed, .unsupportedEncoding, .tooLarge].contains(error.code) && !error.detail.isEmpty,
                "a request is rejected as \(error.code)")
        }
        let first: [[UInt8]]
        do { first = try events(messages, request.count) } catch let problem as DeliveryProblem
            where problem.code == .tooLarge
        { return }
        try require(
            try events(messages, request.count) == first, "converting the same messages twice gives different events")
        try require(first.count == messages.count, "\(messages.count) messages give \(first.count) results")
    }

    private func events(_ messages: [ClientMessage], _ bodyBytes: Int) throws -> [[UInt8]] {
        let result = try intake.convert(
            messages, of: client, app: "app", receivedAt: EventTime(microseconds: 1_700_000_000_000_000),
            bodyBytes: bodyBytes)
        return try result.portions.flatMap(\.messages).map { message in
            switch message.content {
            case .event(let event):
                try require(
                    event.line.count <= EventRecord.maximumLineLength && !event.line.contains(0x0A),
                    "an event has \(event.line.count) bytes")
                try require(
                    Int64(String(decoding: event.line[event.seq], as: UTF8.self)) == EventRecord.highestSeq,
                    "the number is elsewhere")
                return event.line
            case .rejected(let code, let reason, let bytes):
                try require(!code.isEmpty && !reason.isEmpty, "a rejection is empty")
                return bytes
            }
        }
    }
}

package final class ProtobufTarget: ClientsTarget, FuzzTarget {
    package static let name = "protobuf"

    package init() throws {
        try super.init(.otlp) { bytes throws(DeliveryProblem) in
            try OTLPRequest(bytes, type: OTLPRequest.mediaType).messages
        }
    }

    package func seeds() throws -> [[UInt8]] { ClientSeeds.withBeginnings(ClientSeeds.records) }
    package override func run(_ bytes: UnsafeRawBufferPointer) throws { try super.run(bytes) }
}

package final class SnowplowTarget: ClientsTarget, FuzzTarget {
    package static let name = "snowplow"

    /// A POST's body starts with a brace, a pixel's query does not.
    package init() throws {
        try super.init(.snowplow) { bytes throws(DeliveryProblem) in
            try bytes.first == UInt8(ascii: "{")
                ? SnowplowRequest(bytes).messages
                : SnowplowRequest(query: String(decoding: bytes, as: UTF8.self)).messages
        }
    }

    package func seeds() throws -> [[UInt8]] { ClientSeeds.withBeginnings(ClientSeeds.snowplow.map { Array($0.utf8) }) }
    package override func run(_ bytes: UnsafeRawBufferPointer) throws { try super.run(bytes) }
}

package final class SegmentTarget: ClientsTarget, FuzzTarget {
    package static let name = "segment"

    package init() throws {
        try super.init(.segment) { bytes throws(DeliveryProblem) in
            try SegmentRequest(bytes, call: "batch").messages
        }
    }

    package func seeds() throws -> [[UInt8]] { ClientSeeds.withBeginnings(ClientSeeds.segment.map { Array($0.utf8) }) }
    package override func run(_ bytes: UnsafeRawBufferPointer) throws { try super.run(bytes) }
}

package final class CloudEventsTarget: ClientsTarget, FuzzTarget {
    package static let name = "cloudevents"

    /// The first byte selects the mode.
    package init() throws {
        try super.init(.cloudEvents) { bytes throws(DeliveryProblem) in
            let body = Array(bytes.dropFirst())
            switch bytes.first.map({ $0 & 3 }) {
            case 0: return try CloudEventsRequest(body, type: "application/cloudevents+json", fields: []).messages
            case 1:
                return try CloudEventsRequest(body, type: "application/cloudevents-batch+json", fields: [])
                    .messages
            default:
                let fields = ["specversion", "id", "source", "type"].map { name in
                    (name: "ce-\(name)", value: String(decoding: body.prefix(20), as: UTF8.self))
                }
                return try CloudEventsRequest(
                    body, type: bytes.first == 2 ? nil : "application/json", fields: fields
                ).messages
            }
        }
    }

    package func seeds() throws -> [[UInt8]] {
        let requests = ClientSeeds.cloudEvents.flatMap { event -> [[UInt8]] in
            let bodies: [String] = [event, "[\(event)]", event]
            return bodies.enumerated().map { [UInt8($0)] + Array($1.utf8) }
        }
        return ClientSeeds.withBeginnings(requests)
    }
    package override func run(_ bytes: UnsafeRawBufferPointer) throws { try super.run(bytes) }
}

/// Requests as the clients send them.
private enum ClientSeeds {
    /// Requests, and each truncated at every third byte.
    static func withBeginnings(_ requests: [[UInt8]]) -> [[UInt8]] {
        requests
            + requests.flatMap { request in stride(from: 3, to: request.count, by: 3).map { Array(request.prefix($0)) }
            }
    }

    static let segment = [
        #"{"batch":[{"type":"track","event":"Order","userId":"u","messageId":"1","timestamp":"2018-09-12T11:54:07.351+00:00","properties":{"a":[1,"x"]}}],"sentAt":"2018-09-12T11:54:08Z","context":{"library":{"name":"analytics-python"}},"writeKey":"k"}"#,
        #"{"batch":[{"type":"page","name":"Basket","anonymousId":"a"},7,null,[1,[2]]]}"#,
    ]
    static let cloudEvents = [
        #"{"specversion":"1.0","id":"1","source":"/s","type":"t","time":"2018-09-12T11:54:07Z","data":{"a":1},"subject":"u"}"#
    ]
    static let snowplow = [
        #"{"schema":"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4","data":[{"e":"ue","eid":"1","dtm":"1536753247351","uid":"u","ue_px":"eyJkYXRhIjp7Im4iOjF9fQ==","cx":"e30"}]}"#,
        "e=pv&eid=1&dtm=1536753247351&url=https%3A%2F%2Fa.example%2F%3Fb%3Dc&page=%C3%A4+b&ue_pr=%7B%7D",
    ]
    /// Two records with all kinds of values, as the library for Python writes them.
    static let records: [[UInt8]] = [
        [
            0x0A, 0x90, 0x01, 0x0A, 0x0D, 0x0A, 0x0B, 0x0A, 0x01, 0x6E, 0x12, 0x06, 0x0A, 0x04, 0x73, 0x68, 0x6F,
            0x70,
            0x12, 0x7C, 0x0A, 0x0F, 0x0A, 0x01, 0x73, 0x12, 0x01, 0x31, 0x1A, 0x07, 0x0A, 0x01, 0x6B, 0x12, 0x02,
            0x10,
            0x01, 0x12, 0x69, 0x09, 0xC0, 0xCB, 0xC8, 0xB7, 0xEF, 0xA4, 0x53, 0x15, 0x10, 0x09, 0x1A, 0x04, 0x49,
            0x4E,
            0x46, 0x4F, 0x2A, 0x29, 0x2A, 0x27, 0x0A, 0x0B, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xFF,
            0x01, 0x0A, 0x09, 0x21, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF8, 0x3F, 0x0A, 0x0D, 0x32, 0x0B, 0x0A,
            0x09,
            0x0A, 0x01, 0x6D, 0x12, 0x04, 0x3A, 0x02, 0x00, 0xFF, 0x32, 0x08, 0x0A, 0x01, 0x6B, 0x12, 0x03, 0x0A,
            0x01,
            0x76, 0x32, 0x03, 0x0A, 0x01, 0x65, 0x38, 0x02, 0x45, 0x01, 0x00, 0x00, 0x00, 0x4A, 0x02, 0xAB, 0xCD,
            0x52,
            0x01, 0x01, 0x59, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x62, 0x05, 0x6F, 0x72, 0x64, 0x65,
            0x72,
            0x1A, 0x01, 0x75,
        ],
        [0x0A, 0x04, 0x12, 0x02, 0x12, 0x00],
    ]
}
