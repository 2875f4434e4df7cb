public import EventLog
public import JSONLines

/// One event with the parameters that all events share: what is stored, dispatched and delivered.
///
/// # The wire format — frozen
///
/// A container is one line of JSON. **This is the one place that defines it; what stands here does not change**,
/// it only grows by optional members, and the container's version `v` counts changes that would break a reader.
///
/// | member | type | what it is |
/// |---|---|---|
/// | `v` | integer | version of the container: 1 |
/// | `id` | string | UUIDv7 in lower case, minted once, kept through crash, retry, export and replay |
/// | `install_id` | string | identity of the event log; `seq` counts within it |
/// | `seq` | integer | 1, 2, 3 … in the order of sending |
/// | `session_id` | string | the session, see ``SessionRule`` |
/// | `user_id` | string | the device's id until the app identifies its user |
/// | `time` | number | seconds since 1970 at the call of `send`; at most six decimals, no trailing zeros |
/// | `schema` | string | `name/MODEL-REVISION-ADDITION` of the event's schema |
/// | `context` | object? | `app`?, `os`?, `sdk` |
/// | `origin` | object? | `install_id` and `seq` before a replay into another log gave it a new `seq` |
/// | `event` | object | `name`, and the event's own `value` if it has one |
///
/// Members come in this order. The line is UTF-8 without a byte order mark, at most
/// ``maximumLineLength`` bytes long, and ends in one line feed, which is not counted.
public struct TrackingContainer: Sendable {
    /// The `v` of the lines that this version writes.
    public static let version = 1

    /// The longest line that is stored, in bytes, line feed not counted: 32 KiB.
    public static let maximumLineLength = EventRecord.maximumLineLength

    /// Identity of the event, minted once.
    public let id: EventID
    /// Identity of the event log.
    public let installID: String
    /// Number of the event within the install, from 1.
    public let seq: Int64
    /// Identity of the session.
    public let sessionID: String
    /// The user, or the device until the app identifies one.
    public let userID: String
    /// When the event was sent.
    public let time: EventTime
    /// Versions of the app, the system and the SDK.
    public let context: TrackingContext?
    /// What happened.
    public let event: any TrackingEvent

    /// Makes a container of its parts.
    public init(
        id: EventID, installID: String, seq: Int64, sessionID: String, userID: String, time: EventTime,
        context: TrackingContext?, event: any TrackingEvent
    ) {
        self.id = id
        self.installID = installID
        self.seq = seq
        self.sessionID = sessionID
        self.userID = userID
        self.time = time
        self.context = context
        self.event = event
    }

    /// The event's name on the wire.
    public var name: String { type(of: event).name }

    /// The event's schema on the wire: `search/1-0-0`.
    public var schema: String { "\(name)/\(type(of: event).schemaVersion)" }

    /// The event, if it is of this type: `container.event(as: Search.self)?.query`.
    public func event<Event: TrackingEvent>(as type: Event.Type) -> Event? { event as? Event }

    /// The exact bytes of the container's line, without the line feed.
    ///
    /// - Throws: ``JSONEncodingError``, or what the event's own encoding throws.
    public func line() throws -> [UInt8] {
        var json = JSONWriter(capacity: 384)
        try write(to: &json)
        return json.bytes
    }
}

extension TrackingContainer: JSONLineWritable {
    public func write(to json: inout JSONWriter) throws {
        let event: any TrackingEvent = self.event
        try write(event, to: &json)
    }

    private func write<Event: TrackingEvent>(_ event: Event, to json: inout JSONWriter) throws {
        writeHead(to: &json, name: Event.name, version: Event.schemaVersion)
        try Self.writeEventObject(event, to: &json)
        json.endObject()
    }

    /// Writes the line around an event that was encoded before.
    func writeMembers(to json: inout JSONWriter, event object: [UInt8]) {
        let type = type(of: event)
        writeHead(to: &json, name: type.name, version: type.schemaVersion)
        json.value(object)
        json.endObject()
    }

    /// Writes all before the event's object: the only place that knows the order of members.
    private func writeHead(to json: inout JSONWriter, name: String, version: SchemaVersion) {
        json.beginObject()
        json.key("v")
        json.integer(Self.version)
        json.key("id")
        json.plainString(count: EventID.textLength) { id.writeText(to: $0) }
        json.key("install_id")
        json.string(installID)
        json.key("seq")
        json.integer(seq)
        json.key("session_id")
        json.string(sessionID)
        json.key("user_id")
        json.string(userID)
        json.key("time")
        json.seconds(microseconds: time.microseconds)
        json.key("schema")
        version.write(after: name, to: &json)
        if let context {
            json.key("context")
            context.write(to: &json)
        }
        json.key("event")
    }

    /// The member `event`: name, and value if there is one.
    static func eventObject<Event: TrackingEvent>(_ event: Event) throws -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        try writeEventObject(event, to: &json)
        return json.bytes
    }

    /// Writes the member `event`: name, and value if there is one.
    static func writeEventObject<Event: TrackingEvent>(_ event: Event, to json: inout JSONWriter) throws {
        json.beginObject()
        json.key("name")
        json.string(Event.name)
        if Event.carriesValue {
            json.key("value")
            try event.writeValue(to: &json)
        }
        json.endObject()
    }
}

extension TrackingContainer: Encodable {
    private enum Key: String, CodingKey {
        case v, id, seq, time, schema, context, event
        case installID = "install_id"
        case sessionID = "session_id"
        case userID = "user_id"
    }

    private enum EventKey: String, CodingKey { case name, value }
    private enum ContextKey: String, CodingKey { case app, os, sdk }

    /// The same members for any other encoder. `time` is a decimal number there too.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(Self.version, forKey: .v)
        try members.encode(id.description, forKey: .id)
        try members.encode(installID, forKey: .installID)
        try members.encode(seq, forKey: .seq)
        try members.encode(sessionID, forKey: .sessionID)
        try members.encode(userID, forKey: .userID)
        // A double holds microseconds exactly until the year 2255.
        try members.encode(Double(time.microseconds) / 1_000_000, forKey: .time)
        try members.encode(schema, forKey: .schema)
        if let context {
            var nested = members.nestedContainer(keyedBy: ContextKey.self, forKey: .context)
            try nested.encodeIfPresent(context.app, forKey: .app)
            try nested.encodeIfPresent(context.os, forKey: .os)
            try nested.encode(TrackingContext.sdk, forKey: .sdk)
        }
        var nested = members.nestedContainer(keyedBy: EventKey.self, forKey: .event)
        try nested.encode(name, forKey: .name)
        let event: any TrackingEvent = self.event
        try encodeValue(event, into: &nested)
    }

    private func encodeValue<Event: TrackingEvent>(
        _ event: Event, into members: inout KeyedEncodingContainer<EventKey>
    ) throws {
        if Event.carriesValue { try members.encode(event, forKey: .value) }
    }
}
