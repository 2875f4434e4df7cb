package import JSONLines

/// A message of another system's client.
package struct ClientMessage: Sendable {
    /// The id that the client gave it, unique among the messages of its source; nil if it has none.
    package var id: String?
    /// The members that a mapping reads; nil if the message is not an object.
    package var members: [String: JSONValue]?
    /// The exact bytes.
    package var bytes: [UInt8]
    /// The bytes of the members that it shares with other messages of its request.
    package var sharedBytes: Int

    package init(id: String?, members: [String: JSONValue]?, bytes: [UInt8], sharedBytes: Int = 0) {
        self.id = id
        self.members = members
        self.bytes = bytes
        self.sharedBytes = sharedBytes
    }

    /// A message in JSON.
    ///
    /// - Parameter id: Finds its id.
    init(_ bytes: [UInt8], id: ([String: JSONValue]) -> String?) {
        self.init(id: nil, members: nil, bytes: bytes)
        if case .object(let members)? = JSONValue(validating: bytes) {
            self.members = members
            self.id = id(members)
        }
    }
}

/// The clients that a collector understands.
package enum ClientProtocol: String, CaseIterable, Sendable {
    case segment, cloudEvents = "cloudevents", otlp, snowplow

    /// The name in configurations and metrics.
    package var name: String { rawValue }
}
