public import JSONLines

/// The user responded to a notification. Named so that it stands beside Foundation's `Notification`.
public struct NotificationResponse: TrackingEvent, Equatable {
    public static let name = "notification"

    /// Which notification.
    public let identifier: String
    /// What came with it, as the sender shaped it; nested at most 16 deep.
    public let userInfo: [String: JSONValue]

    /// Makes the event.
    public init(identifier: String, userInfo: [String: JSONValue]) {
        self.identifier = identifier
        self.userInfo = userInfo
    }

    private enum CodingKeys: String, CodingKey {
        case identifier
        case userInfo = "user_info"
    }

    public func writeValue(to json: inout JSONWriter) throws {
        json.beginObject()
        json.key("identifier")
        json.string(identifier)
        json.key("user_info")
        try JSONValue.object(userInfo).write(to: &json)
        json.endObject()
    }
}

extension TrackingEvent where Self == NotificationResponse {
    /// The user responded to a notification.
    public static func notification(identifier: String, userInfo: [String: JSONValue]) -> Self {
        NotificationResponse(identifier: identifier, userInfo: userInfo)
    }
}
