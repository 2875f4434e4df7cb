public import EventModel
public import JSONLines

/// An event with its envelope: the parameters that all events share. Containers are stored, dispatched and delivered.
///
/// # The wire format — frozen
///
/// A container is one line of JSON. **This table is the definition of the format. Existing members never change:** new
/// members are optional, and the container's version `v` changes only if readers would break.
///
/// | member | type | what it is |
/// |---|---|---|
/// | `v` | integer | version of the container: 1 |
/// | `id` | string | UUIDv7 in lower case, minted once, kept through crash, retry, export and replay |
/// | `install_id` | string | identity of the event log; `seq` counts within an install |
/// | `seq` | integer | 1, 2, 3 … in the order of sending |
/// | `session_id` | string | the session, see ``SessionRule`` |
/// | `user_id` | string | the identified user; before that, the device's id |
/// | `time` | number | seconds since 1970 at the call of `send`; at most six decimals, no trailing zeros |
/// | `schema` | string | `name/MODEL-REVISION-ADDITION` of the event's schema |
/// | `unplanned` | true? | the plan has no schema for the event, see ``UnplannedEvents``; `schema` then names no
/// existing version |
/// | `context` | object? | `app`?, `os`?, `sdk` |
/// | `origin` | object? | `install_id` and `seq` before a replay into another log gave it a new `seq` |
/// | `event` | object | `name`, and the event's own `value` if it has one |
///
/// Members are written in this order (by `ContainerLine`). The line is UTF-8 without a byte order mark, has at most
/// ``maximumLineLength`` bytes, and ends in one line feed, which does not count.
public struct TrackingContainer: Sendable {
    /// The `v` of the lines that this version writes.
    public static let version = 1

    /// The maximum length of a line in bytes, without the line feed: 32 KiB.
    public static let maximumLineLength = EventRecord.maximumLineLength

    /// Identity of the event, created once.
    public private(set) var id: EventID
    /// Sequence number of the event within the install, from 1.
    public private(set) var seq: Int64
    /// The time at which the event was sent.
    public private(set) var time: EventTime
    /// The event itself.
    public private(set) var event: any TrackingEvent
    /// Values shared with other containers. Sharing makes copies cheap.
    private(set) var envelopeContext: EnvelopeContext

    /// Identity of the event log.
    public var installID: String { envelopeContext.install.installID }
    /// Identity of the session.
    public var sessionID: String { envelopeContext.sessionID }
    /// The identified user; before that, the device's id.
    public var userID: String { envelopeContext.userID }
    /// Versions of the app, the system and the SDK.
    public var context: TrackingContext? { envelopeContext.install.context }

    /// Makes a container from its parts.
    public init(
        id: EventID, installID: String, seq: Int64, sessionID: String, userID: String, time: EventTime,
        context: TrackingContext?, event: any TrackingEvent
    ) {
        self.init(
            id: id, seq: seq, time: time,
            envelopeContext: EnvelopeContext(
                installID: installID, sessionID: sessionID, userID: userID, context: context),
            event: event)
    }

    init(
        id: EventID, seq: Int64, time: EventTime, envelopeContext: EnvelopeContext,
        event: consuming any TrackingEvent
    ) {
        self.id = id
        self.seq = seq
        self.time = time
        self.event = event
        self.envelopeContext = envelopeContext
    }

    /// Replaces the contents with those of another event. Skips the reference count if the envelope context is
    /// unchanged, which is the usual case.
    @inline(__always)
    mutating func become(
        id: EventID, seq: Int64, time: EventTime, envelopeContext: EnvelopeContext,
        event: consuming any TrackingEvent
    ) {
        self.id = id
        self.seq = seq
        self.time = time
        self.event = event
        if self.envelopeContext.buffer !== envelopeContext.buffer { self.envelopeContext = envelopeContext }
    }

    /// Releases the event. ``become(id:seq:time:envelopeContext:event:)`` stores the next one.
    @inline(__always)
    mutating func forgetEvent() { event = Forgotten() }

    private struct Forgotten: TrackingEvent {
        static let name = ""
    }

    /// Becomes a copy of another container.
    @inline(__always)
    mutating func become(_ other: TrackingContainer) {
        id = other.id
        seq = other.seq
        time = other.time
        event = other.event
        if envelopeContext.buffer !== other.envelopeContext.buffer { envelopeContext = other.envelopeContext }
    }

    /// The event's name on the wire.
    public var name: String { type(of: event).name }

    /// The event's schema on the wire: `search/1-0-0`.
    public var schema: String { "\(name)/\(type(of: event).schemaVersion)" }

    /// The event as this type, or nil for an event of another type: `container.event(as: Search.self)?.query`.
    public func event<Event: TrackingEvent>(as type: Event.Type) -> Event? { event as? Event }

    /// The exact bytes of the container's line, without the line feed.
    ///
    /// - Throws: ``/JSONLines/JSONEncodingError``, or the error of the event's own encoding.
    public func line() throws -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        try write(to: &json)
        return json.bytes
    }
}

extension TrackingContainer: JSONLineWritable {
    public func write(to json: inout JSONWriter) throws {
        let event: any TrackingEvent = self.event
        try ContainerLine.write(self, around: event, to: &json)
    }
}

extension TrackingContainer: Encodable {
    /// Encodes the same members with any other encoder. `time` is a decimal number there, too.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: EnvelopeMember.self)
        try members.encode(Self.version, forKey: .version)
        try members.encode(id.description, forKey: .id)
        try members.encode(installID, forKey: .installID)
        try members.encode(seq, forKey: .seq)
        try members.encode(sessionID, forKey: .sessionID)
        try members.encode(userID, forKey: .userID)
        // A double represents microseconds exactly until the year 2255.
        try members.encode(Double(time.microseconds) / 1_000_000, forKey: .time)
        try members.encode(schema, forKey: .schema)
        if !type(of: event).isPlanned { try members.encode(true, forKey: .unplanned) }
        if let context {
            var nested = members.nestedContainer(keyedBy: EnvelopeMember.Context.self, forKey: .context)
            try nested.encodeIfPresent(context.app, forKey: .app)
            try nested.encodeIfPresent(context.os, forKey: .os)
            try nested.encode(TrackingContext.sdk, forKey: .sdk)
        }
        var nested = members.nestedContainer(keyedBy: EnvelopeMember.Event.self, forKey: .event)
        try nested.encode(name, forKey: .name)
        let event: any TrackingEvent = self.event
        try encodeValue(event, into: &nested)
    }

    private func encodeValue<Event: TrackingEvent>(
        _ event: Event, into members: inout KeyedEncodingContainer<EnvelopeMember.Event>
    ) throws {
        if Event.carriesValue { try members.encode(event, forKey: .value) }
    }
}
