internal import EventModel
internal import Foundation
internal import JSONLines
internal import JSONSchema
internal import Primitives

/// The `cloudevents` format: CloudEvents 1.0 in structured JSON, one event per line.
///
/// | attribute | source |
/// |---|---|
/// | `specversion` | `1.0` |
/// | `id` | `id`; if missing, `sha256-` and the digest of the line |
/// | `source` | `/installs/` and `install_id`, percent-encoded (RFC 3986) |
/// | `type` | `event.name`; if missing, `unnamed` |
/// | `subject` | `user_id` |
/// | `time` | `time`, in UTC with six decimals |
/// | `datacontenttype` | `application/json`, if there is a value |
/// | `dataschema` | `schema`, after a configurable base |
/// | `trackingversion` | `v`, an integer |
/// | `trackingseq` | `seq` as a string, since integers of CloudEvents have 32 bits |
/// | `trackingsessionid` | `session_id` |
/// | `trackingcontext`, `trackingorigin` | `context` and `origin`, as JSON strings |
/// | `trackingline` | the whole line in Base64, if the other attributes cannot reproduce it byte for byte |
/// | `data` | `event.value` |
///
/// Attributes whose value does not fit their CloudEvents type are omitted. Every event is read back before it is
/// appended. If that does not reproduce the line byte for byte (because of unknown members, another order, white
/// space, or another form of the time), the event carries `trackingline`. ``CloudEventsReader`` therefore reproduces
/// every line.
///
/// Specification: <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md> and `formats/json-format.md`.
struct CloudEventsFormat: LineFormat {
    /// The base URL of the standard events' schemas.
    static let standardSchemaBase = "https://schemas.swift-tracking.dev/events/"

    private let schemaBase: String
    private var reader = LineReader()
    private var proof = ReadBackProof(CloudEventsReader())

    init(schemaBase: String = standardSchemaBase) { self.schemaBase = schemaBase }

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let start = output.count
        try reader.read(line) { root in
            let members = ContainerMembers(root)
            CloudEventWriter(members, line: line, carriesLine: false, schemaBase: schemaBase).append(to: &output)
            if !proof.holds(output[start...], gives: line) {
                output.removeLast(output.count - start)
                CloudEventWriter(members, line: line, carriesLine: true, schemaBase: schemaBase).append(to: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }
}

/// Writes the attributes of a CloudEvent; see ``CloudEventsFormat``.
struct CloudEventWriter: ~Copyable {
    private var json: JSONWriter

    /// Writes an event.
    ///
    /// - Parameter carriesLine: Whether to add the line as an attribute.
    init(_ members: ContainerMembers, line: UnsafeRawBufferPointer, carriesLine: Bool, schemaBase: String) {
        json = JSONWriter(capacity: 2 * line.count + 512)
        json.beginObject()
        json.key("specversion")
        json.string("1.0")
        id(members.id, line)
        source(members.installID)
        type(members.name)
        text("subject", members.userID)
        time(members.time)
        if members.value != nil {
            json.key("datacontenttype")
            json.string("application/json")
        }
        schema(members.schema, base: schemaBase)
        version(members.version)
        seq(members.seq)
        text("trackingsessionid", members.sessionID)
        nested("trackingcontext", members.context)
        nested("trackingorigin", members.origin)
        if carriesLine {
            json.key("trackingline")
            json.string(Data(line).base64EncodedString())
        }
        if let value = members.value {
            json.key("data")
            json.value(value)
        }
        json.endObject()
    }

    consuming func append(to output: inout [UInt8]) { json.withUnsafeBytes { output.append(contentsOf: $0) } }

    private mutating func id(_ id: JSONSpan?, _ line: UnsafeRawBufferPointer) {
        json.key("id")
        if let id, Self.isText(id) {
            json.value(id)
        } else {
            json.string("sha256-" + SHA256.hexadecimal(line))
        }
    }

    private mutating func source(_ installID: JSONSpan?) {
        json.key("source")
        guard let installID, installID.kind == .string else { return json.string(CloudEventSource.prefix) }
        json.string(installID.withText { CloudEventSource.source(installID: $0) })
    }

    private mutating func type(_ name: JSONSpan?) {
        json.key("type")
        if let name, Self.isText(name) { json.value(name) } else { json.string("unnamed") }
    }

    private mutating func time(_ time: JSONSpan?) {
        guard let time = time?.datedTime else { return }
        json.key("time")
        json.string(time.rfc3339)
    }

    private mutating func schema(_ schema: JSONSpan?, base: String) {
        guard let schema, schema.kind == .string, let url = CloudEventSchema.url(of: schema.content, base: base)
        else { return }
        json.key("dataschema")
        json.string(url)
    }

    private mutating func version(_ version: JSONSpan?) {
        guard let version, version.isWholeNumber, Int32(String(decoding: version.content, as: UTF8.self)) != nil
        else { return }
        json.key("trackingversion")
        json.value(version)
    }

    private mutating func seq(_ seq: JSONSpan?) {
        guard let seq, seq.isWholeNumber else { return }
        json.key("trackingseq")
        json.plainString(seq.content)
    }

    /// Writes a string unchanged if CloudEvents allow its characters.
    private mutating func text(_ name: StaticString, _ value: JSONSpan?) {
        guard let value, Self.isText(value) else { return }
        json.key(name)
        json.value(value)
    }

    /// Writes an object as a JSON string if CloudEvents allow its characters.
    private mutating func nested(_ name: StaticString, _ value: JSONSpan?) {
        guard let value, value.kind == .object else { return }
        let text = String(decoding: value.compact, as: UTF8.self)
        guard text.unicodeScalars.allSatisfy(Self.isAllowed) else { return }
        json.key(name)
        json.string(text)
    }

    /// Whether a value is a non-empty string of characters that CloudEvents allow.
    private static func isText(_ value: JSONSpan) -> Bool {
        guard value.kind == .string, !value.content.isEmpty else { return false }
        // Fast path for printable ASCII.
        if value.content.allSatisfy({ $0 < 0x7F && $0 != UInt8(ascii: "\\") }) { return true }
        return value.withText { String(decoding: $0, as: UTF8.self).unicodeScalars.allSatisfy(isAllowed) }
    }

    /// Whether CloudEvents allow a character: excludes control characters and noncharacters.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
