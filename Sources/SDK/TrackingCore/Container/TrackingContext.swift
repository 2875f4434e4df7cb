internal import EventModel
public import JSONLines

/// The software that sent an event: versions of the app, the system and the SDK.
public struct TrackingContext: Hashable, Sendable, JSONLineWritable {
    /// The SDK's version, as written in every context.
    public static let sdk = "swift-tracking 0.1.0"

    /// The app and its version.
    public let app: String?
    /// The system and its version.
    public let os: String?

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - app: The app and its version, at most 128 characters.
    ///   - os: The system and its version, at most 128 characters.
    public init(app: String?, os: String?) {
        self.app = app
        self.os = os
    }

    public func write(to json: inout JSONWriter) {
        json.beginObject()
        if let app {
            json.key(EnvelopeMember.Context.app.name)
            json.string(app)
        }
        if let os {
            json.key(EnvelopeMember.Context.os.name)
            json.string(os)
        }
        json.key(EnvelopeMember.Context.sdk.name)
        json.string(Self.sdk)
        json.endObject()
    }
}
