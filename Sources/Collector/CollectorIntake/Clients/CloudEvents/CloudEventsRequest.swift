package import DeliveryProtocol
internal import Foundation
internal import JSONLines

/// A request with CloudEvents 1.0 over HTTP: one event in the header fields and the body, one as JSON, or a batch.
package struct CloudEventsRequest {
    package static let path = "/v1/cloudevents"

    package let messages: [ClientMessage]

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - type: The `Content-Type`.
    ///   - fields: The names, in lowercase, and values of the header fields.
    /// - Throws: ``DeliveryProblem``: `malformed`, `unsupportedEncoding`, `tooLarge`.
    package init(
        _ body: [UInt8], type: String?, fields: [(name: String, value: String)],
        maximumMessages: Int = IntakeLimits.clients.maximumEvents
    ) throws(DeliveryProblem) {
        let media = type?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } } ?? ""
        switch media {
        case "application/cloudevents+json": messages = [try Self.checked(Self.message(body))]
        case "application/cloudevents-batch+json": messages = try Self.batch(body, maximumMessages)
        case _ where media.hasPrefix("application/cloudevents"):
            throw DeliveryProblem(
                .unsupportedEncoding, "unsupported Content-Type \(media.prefix(100)); send events as JSON")
        default: messages = [try Self.checked(Self.binary(body, type: type, media: media, fields))]
        }
    }

    private static func message(_ bytes: [UInt8]) -> ClientMessage { ClientMessage(bytes, id: id) }

    /// The source and the id identify an event.
    private static func id(_ members: [String: JSONValue]) -> String? {
        guard let source = members["source"]?.stringValue, let id = members["id"]?.stringValue, !id.isEmpty else {
            return nil
        }
        return "\(source)\0\(id)"
    }

    /// Checks the required attributes of a single event.
    private static func checked(_ message: ClientMessage) throws(DeliveryProblem) -> ClientMessage {
        guard let members = message.members else {
            throw DeliveryProblem(.malformed, "the body is not a JSON object; send a CloudEvent")
        }
        if let missing = missingAttribute(members) {
            throw DeliveryProblem(
                .malformed, "the event lacks the attribute '\(missing)', a string with at least one character")
        }
        return message
    }

    private static func missingAttribute(_ members: [String: JSONValue]) -> String? {
        ["specversion", "id", "source", "type"].first { members[$0]?.stringValue?.isEmpty ?? true }
    }

    /// Invalid events of a batch are rejected one by one.
    private static func batch(_ body: [UInt8], _ limit: Int) throws(DeliveryProblem) -> [ClientMessage] {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.parse(body) } catch {
            throw DeliveryProblem(.malformed, "the body is not JSON at offset \(error.offset): \(error.reason)")
        }
        guard case .array = value else {
            throw DeliveryProblem(.malformed, "the body is not a JSON array; send a list of CloudEvents")
        }
        return try JSONElements.ranges(in: body, array: 0..<body.count, limit: limit).map { range in
            var message = message(Array(body[range]))
            if let members = message.members, missingAttribute(members) != nil { message.members = nil }
            return message
        }
    }

    /// An event whose attributes are header fields.
    private static func binary(
        _ body: [UInt8], type: String?, media: String, _ fields: [(name: String, value: String)]
    ) throws(DeliveryProblem) -> ClientMessage {
        var members: [String: JSONValue] = [:]
        for (name, value) in fields where name.hasPrefix("ce-") {
            guard let text = value.removingPercentEncoding else {
                throw DeliveryProblem(
                    .malformed, "\(name.prefix(100)) has an invalid percent encoding; encode it as UTF-8")
            }
            members[String(name.dropFirst(3))] = .string(text)
        }
        guard !members.isEmpty else {
            throw DeliveryProblem(
                .unsupportedEncoding,
                "the request is no CloudEvent; send ce- header fields, or Content-Type application/cloudevents+json"
            )
        }
        if let type { members["datacontenttype"] = .string(type) }
        if !body.isEmpty { members.merge(data(body, media)) { _, new in new } }
        return ClientMessage(id: id(members), members: members, bytes: body)
    }

    private static func data(_ body: [UInt8], _ media: String) -> [String: JSONValue] {
        let isText = media.hasPrefix("text/")
        if !isText, media.isEmpty || media == "application/json" || media.hasSuffix("+json"),
            let value = JSONValue(validating: body)
        {
            return ["data": value]
        }
        if isText || media.isEmpty, let text = String(validating: body, as: UTF8.self) {
            return ["data": .string(text)]
        }
        return ["data_base64": .string(Data(body).base64EncodedString())]
    }
}
