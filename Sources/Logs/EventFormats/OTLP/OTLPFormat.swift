internal import EventModel
internal import JSONLines
internal import JSONSchema

/// The `otlp` format: OpenTelemetry logs in OTLP/JSON. Each line is an `ExportLogsServiceRequest`, the body of a POST
/// to `/v1/logs`, with up to ``batchCount`` events or ``batchBytes`` bytes.
///
/// | in the request | source |
/// |---|---|
/// | resource `service.name`, `service.version` | `context.app`, split at the last space; else `unknown_service` |
/// | resource `service.instance.id` | `install_id` |
/// | resource `os.description` | `context.os` |
/// | resource `tracking.context` | the whole `context` |
/// | scope | `name` and `version` from `context.sdk`, split at the last space; else `swift-tracking` |
/// | `timeUnixNano` | `time` in nanoseconds, as a string; if out of range, the attribute `tracking.time` instead |
/// | `severityNumber` | 9, INFO |
/// | `eventName` | `event.name` |
/// | attribute `log.record.uid` | `id` |
/// | attribute `session.id`, `user.id` | `session_id`, `user_id` |
/// | attributes `event.value.NAME` | the members of `event.value`; `event.value` itself if it is not an object |
/// | attributes `tracking.NAME` | all other members of the line, including `v`, `seq` and `schema` |
/// | attribute `tracking.event` | other members of `event`, if any |
///
/// Consecutive events of the same install and context share a resource. Events cannot be read back exactly, since
/// readers lose the number of decimals.
///
/// Specification:
/// <https://github.com/open-telemetry/opentelemetry-proto/blob/v1.5.0/opentelemetry/proto/logs/v1/logs.proto>, JSON:
/// <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>.
struct OTLPFormat: LineFormat {
    /// The most events in a request.
    static let batchCount = 512
    /// The most bytes in a request; a single event may be larger.
    static let batchBytes = 1 << 20

    private var reader = LineReader()
    /// The current request, without its closing brackets.
    private var request: [UInt8] = []
    /// The bytes of the last resource.
    private var resource: [UInt8] = []
    private var count = 0

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let (record, resource) = try reader.read(line) { line in
            let members = ContainerMembers(line)
            return (OTLPRecordWriter.record(line, members), OTLPResourceWriter.start(members))
        }
        if count == Self.batchCount || count > 0 && request.count + record.count + resource.count > Self.batchBytes {
            endRequest(into: &output)
        }
        if count == 0 {
            request.append(contentsOf: #"{"resourceLogs":["#.utf8)
            request.append(contentsOf: resource)
        } else if resource == self.resource {
            request.append(UInt8(ascii: ","))
        } else {
            request.append(contentsOf: "]}]},".utf8)
            request.append(contentsOf: resource)
        }
        request.append(contentsOf: record)
        self.resource = resource
        count += 1
    }

    mutating func end(into output: inout [UInt8]) {
        if count > 0 { endRequest(into: &output) }
    }

    private mutating func endRequest(into output: inout [UInt8]) {
        output.append(contentsOf: request)
        output.append(contentsOf: "]}]}]}\n".utf8)
        request.removeAll(keepingCapacity: true)
        count = 0
    }
}

/// Writes a `LogRecord`; see ``OTLPFormat`` for the mapping.
enum OTLPRecordWriter {
    /// `SEVERITY_NUMBER_INFO`.
    private static let severity = 9

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
        if let event = line.member(.event) { write(event, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Nanoseconds since 1970; nil if they don't fit an unsigned 64-bit integer.
    private static func nanoseconds(_ time: EventTime) -> String? {
        guard let microseconds = UInt64(exactly: time.microseconds) else { return nil }
        let (product, overflows) = microseconds.multipliedReportingOverflow(by: 1000)
        return overflows ? nil : String(product)
    }

    /// The members of the line that have a dedicated field in the request.
    private static let placed: [EnvelopeMember] = [
        .id, .installID, .sessionID, .userID, .time, .context, .event,
    ]

    private static func isPlaced(_ name: JSONSpan) -> Bool {
        placed.contains { name.isText($0.name) }
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

/// Writes a `ResourceLogs` up to its records; see ``OTLPFormat`` for the mapping.
enum OTLPResourceWriter {
    /// The start of a resource, which `]}]}` closes.
    static func start(_ members: ContainerMembers) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("resource")
        json.beginObject()
        json.key("attributes")
        json.beginArray()
        attributes(members, to: &json)
        json.endArray()
        json.endObject()
        json.key("scopeLogs")
        json.beginArray()
        json.beginObject()
        json.key("scope")
        scope(members.context?.member("sdk", .string), to: &json)
        json.key("logRecords")
        json.beginArray()
        return json.bytes
    }

    private static func attributes(_ members: ContainerMembers, to json: inout JSONWriter) {
        if let app = members.context?.member("app", .string)?.product {
            json.attribute("service.name", content: app.name)
            if let version = app.version { json.attribute("service.version", content: version) }
        } else {
            ("unknown_service" as StaticString).withUTF8Buffer { json.attribute("service.name", content: $0) }
        }
        if let installID = members.installID { json.attribute("service.instance.id", installID) }
        if let system = members.context?.member("os", .string) { json.attribute("os.description", system) }
        if let context = members.context { json.attribute("tracking.context", context) }
    }

    private static func scope(_ sdk: JSONSpan?, to json: inout JSONWriter) {
        json.beginObject()
        json.key("name")
        if let (name, version) = sdk?.product {
            json.plainString(name)
            if let version {
                json.key("version")
                json.plainString(version)
            }
        } else {
            json.string("swift-tracking")
        }
        json.endObject()
    }
}
