package import DeliveryProtocol
internal import JSONLines

/// A request of a client of Segment's HTTP API: `/v1/track` and the other calls, or `/v1/batch`.
package struct SegmentRequest {
    /// The calls by the last part of their path. Clients for browsers and phones use the short names.
    private static let types = [
        "track": "track", "t": "track", "page": "page", "p": "page", "screen": "screen", "s": "screen",
        "identify": "identify", "i": "identify", "group": "group", "g": "group", "alias": "alias", "a": "alias",
    ]
    private static let batches: Set = ["batch", "b", "import"]

    package let messages: [ClientMessage]
    /// The write key in the body, where some clients put it.
    package let writeKey: String?

    /// The call of a path; nil if the path is another endpoint.
    package static func call(path: String) -> Substring? {
        let call = path.dropFirst("/v1/".count)
        guard path.hasPrefix("/v1/"), types[String(call)] != nil || batches.contains(String(call)) else {
            return nil
        }
        return call
    }

    /// Reads a body.
    ///
    /// - Parameter call: From ``call(path:)``.
    /// - Throws: ``DeliveryProblem``: `malformed` if the body is not an object, or a batch without a list of
    ///   messages; `tooLarge` for too many messages.
    package init(
        _ body: [UInt8], call: Substring, maximumMessages: Int = IntakeLimits.clients.maximumEvents
    ) throws(DeliveryProblem) {
        let (value, ranges): (JSONValue, [JSONParser.Member])
        do throws(JSONSyntaxError) { (value, ranges) = try JSONParser.parseWithMembers(body) } catch {
            throw DeliveryProblem(.malformed, "the body is not JSON at offset \(error.offset): \(error.reason)")
        }
        guard case .object(let members) = value else {
            throw DeliveryProblem(.malformed, "the body is not a JSON object; send one message, or a batch")
        }
        writeKey = members["writeKey"]?.stringValue
        if let type = Self.types[String(call)] {
            messages = [Self.message(body, ["type": (.string(type), 0)])]
            return
        }
        guard case .array? = members["batch"], let array = ranges.first(where: { $0.name == "batch" })?.range else {
            throw DeliveryProblem(.malformed, "the batch has no list 'batch'; send the messages in it")
        }
        // What the messages share is written once, in the batch.
        var shared: [String: (JSONValue, bytes: Int)] = [:]
        for member in ranges where ["context", "integrations", "sentAt"].contains(member.name) {
            if let value = members[member.name] { shared[member.name] = (value, member.range.count) }
        }
        messages = try JSONElements.ranges(in: body, array: array, limit: maximumMessages).map {
            Self.message(Array(body[$0]), shared)
        }
    }

    private static func message(_ bytes: [UInt8], _ shared: [String: (JSONValue, bytes: Int)]) -> ClientMessage {
        var message = ClientMessage(bytes) { $0["messageId"]?.stringValue }
        for (name, (value, bytes)) in shared where message.members?[name] == nil {
            message.members?[name] = value
            message.sharedBytes += bytes
        }
        // The key is not part of the event.
        message.members?["writeKey"] = nil
        return message
    }
}
