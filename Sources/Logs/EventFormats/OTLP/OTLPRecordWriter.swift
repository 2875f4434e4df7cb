internal import EventLog
internal import EventModel
internal import JSONLines
internal import JSONSchema

/// Writes a `LogRecord`; ``OTLPFormat`` says what stands where.
enum OTLPRecordWriter {
    /// `SEVERITY_NUMBER_INFO`.
    private static let severity = 9

    /// The record of a line.
    static func record(_ line: JSONSpan, _ members: ContainerMembers) -> [UInt8] {
        var json = JSONWriter(capacity: 2 * line.source.count + 256)
        let nanoseconds = members.time?.time.flatMap(nanoseconds)
        json.beginObject()
        if let nanoseconds {
            json.key("timeUnixNano")
            json.string(nanoseconds)
        }
        json.key("severityNumber")
        json.integer(severity)
        if let name = members.name, name.kind == .string {
            json.key("eventName")
            json.value(name)
        }
        json.key("attributes")
        json.beginArray()
        if let id = members.id { json.attribute("log.record.uid", id) }
        if let sessionID = members.sessionID { json.attribute("session.id", sessionID) }
        if let userID = members.userID { json.attribute("user.id", userID) }
        if let time = members.time, nanoseconds == nil { json.attribute("tracking.time", time) }
        for (name, value) in line.members where !isPlaced(name) {
            json.attribute("tracking." + text(name), value)
        }
        if let event = line.member("event") { write(event, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Nanoseconds since 1970; nil for what 64 bits without a sign do not hold.
    private static func nanoseconds(_ time: EventTime) -> String? {
        guard let microseconds = UInt64(exactly: time.microseconds) else { return nil }
        let (product, overflows) = microseconds.multipliedReportingOverflow(by: 1000)
        return overflows ? nil : String(product)
    }

    /// Whether a member of the line has a place of its own in the request.
    private static func isPlaced(_ name: JSONSpan) -> Bool {
        ["id", "install_id", "session_id", "user_id", "time", "context", "event"].contains(text(name))
    }

    private static func write(_ event: JSONSpan, to json: inout JSONWriter) {
        guard event.kind == .object else { return json.attribute("tracking.event", event) }
        var others: [(name: JSONSpan, value: JSONSpan)] = []
        for (name, value) in event.members {
            if name.isText("value") {
                write(value: value, to: &json)
            } else if !name.isText("name") || value.kind != .string {
                others.append((name, value))
            }
        }
        if !others.isEmpty { json.attribute("tracking.event", others) }
    }

    private static func write(value: JSONSpan, to json: inout JSONWriter) {
        guard value.kind == .object else { return json.attribute("event.value", value) }
        for (name, member) in value.members { json.attribute("event.value." + text(name), member) }
    }

    private static func text(_ name: JSONSpan) -> String { name.withText { String(decoding: $0, as: UTF8.self) } }
}
