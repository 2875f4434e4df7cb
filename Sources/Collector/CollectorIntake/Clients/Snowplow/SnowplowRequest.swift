package import DeliveryProtocol
internal import Foundation
internal import JSONLines

/// A request of a Snowplow tracker: a POST to `/com.snowplowanalytics.snowplow/tp2`, or the pixel `/i`.
package struct SnowplowRequest {
    package static let postPath = "/com.snowplowanalytics.snowplow/tp2"
    package static let pixelPath = "/i"
    /// The prefix of the schema of POST bodies.
    private static let payload = "iglu:com.snowplowanalytics.snowplow/payload_data/"
    /// Members that contain JSON, plain and in Base64, and the member with its value.
    private static let nested = [("ue_pr", "ue_px", "unstruct"), ("co", "cx", "contexts")]

    package let messages: [ClientMessage]

    /// Reads the body of a POST.
    ///
    /// - Throws: ``DeliveryProblem``: `malformed`, `tooLarge`.
    package init(_ body: [UInt8], maximumMessages: Int = IntakeLimits.clients.maximumEvents) throws(DeliveryProblem) {
        let (value, ranges): (JSONValue, [JSONParser.Member])
        do throws(JSONSyntaxError) { (value, ranges) = try JSONParser.parseWithMembers(body) } catch {
            throw DeliveryProblem(.malformed, "the body is not JSON at offset \(error.offset): \(error.reason)")
        }
        guard case .object(let members) = value, case .array? = members["data"],
            let array = ranges.first(where: { $0.name == "data" })?.range,
            members["schema"]?.stringValue?.hasPrefix(Self.payload) ?? false
        else {
            throw DeliveryProblem(
                .malformed, "the body is not a payload; send {\"schema\": \"\(Self.payload)…\", \"data\": […]}")
        }
        messages = try JSONElements.ranges(in: body, array: array, limit: maximumMessages).map { range in
            var message = ClientMessage(Array(body[range])) { $0["eid"]?.stringValue }
            message.members = message.members.map(Self.decoded)
            return message
        }
    }

    /// Reads the query of a pixel.
    ///
    /// - Throws: ``DeliveryProblem``, `malformed`.
    package init(query: String) throws(DeliveryProblem) {
        var members: [String: JSONValue] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.text(parts[0])
            members[name] = .string(parts.count == 2 ? try Self.text(parts[1]) : "")
        }
        guard members["e"]?.stringValue?.isEmpty == false else {
            throw DeliveryProblem(.malformed, "the query has no event; send the parameter e")
        }
        messages = [
            ClientMessage(
                id: members["eid"]?.stringValue, members: Self.decoded(members), bytes: Array(query.utf8))
        ]
    }

    private static func text(_ part: Substring) throws(DeliveryProblem) -> String {
        guard let text = part.replacing("+", with: " ").removingPercentEncoding else {
            throw DeliveryProblem(.malformed, "the query has an invalid percent encoding; encode it as UTF-8")
        }
        return text
    }

    /// Replaces JSON in strings by its value. What can't be decoded stays as it is.
    private static func decoded(_ members: [String: JSONValue]) -> [String: JSONValue] {
        var members = members
        for (plain, encoded, name) in nested where members[name] == nil {
            if let text = members[plain]?.stringValue, let value = JSONValue(validating: text.utf8) {
                members[name] = value
                members[plain] = nil
            } else if let text = members[encoded]?.stringValue, let bytes = base64(text),
                let value = JSONValue(validating: bytes)
            {
                members[name] = value
                members[encoded] = nil
            }
        }
        return members
    }

    /// Decodes Base64 in its usual or its URL-safe form, with or without padding.
    private static func base64(_ text: String) -> [UInt8]? {
        var text = text.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).map { [UInt8]($0) }
    }
}
