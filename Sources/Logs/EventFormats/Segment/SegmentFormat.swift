internal import EventModel
internal import JSONLines
internal import JSONSchema

/// The `segment` format: messages of Segment's spec, one per line. `page-view` becomes a page message, any other
/// event a track message.
///
/// | in the message | source |
/// |---|---|
/// | `type` | `page` for `page-view`, else `track` |
/// | `messageId` | `id` |
/// | `timestamp` | `time`, in UTC with six decimals |
/// | `userId` | `user_id` |
/// | `anonymousId` | `install_id`; `unknown` if both ids are missing |
/// | `event` | `event.name`, in track messages; if missing, `unnamed` |
/// | `name` | `event.value.page`, in page messages |
/// | `properties` | `event.value`, if it is an object |
/// | `context.app`, `.os`, `.library` | `context.app`, `.os`, `.sdk`: `name` and `version`, split at the last space |
/// | `context.tracking` | `v`, `seq`, `session_id`, `schema`, `context` and `origin`, unchanged |
/// | `context.tracking.line` | the whole line as a string, if the rest cannot reproduce it byte for byte |
///
/// Every message is read back before it is appended. If that does not reproduce the line byte for byte, the message
/// carries `line`. ``SegmentReader`` therefore reproduces every line. Segment accepts messages of up to 32 KB.
///
/// Specification: <https://segment.com/docs/connections/spec/common/>.
struct SegmentFormat: LineFormat {
    /// The event that becomes a page message.
    static let pageEvent: StaticString = "page-view"

    private var reader = LineReader()
    private var proof = ReadBackProof(SegmentReader())

    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) throws {
        let start = output.count
        try reader.read(line) { root in
            let members = ContainerMembers(root)
            SegmentMessageWriter(members, line: line, carriesLine: false).append(to: &output)
            if !proof.holds(output[start...], gives: line) {
                output.removeLast(output.count - start)
                SegmentMessageWriter(members, line: line, carriesLine: true).append(to: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }
}

/// Writes a message; see ``SegmentFormat`` for the mapping.
struct SegmentMessageWriter: ~Copyable {
    private var json: JSONWriter

    /// - Parameter carriesLine: Whether to include the line in the message.
    init(_ members: ContainerMembers, line: UnsafeRawBufferPointer, carriesLine: Bool) {
        json = JSONWriter(capacity: 2 * line.count + 512)
        let isPage = members.name?.kind == .string && members.name?.isText(SegmentFormat.pageEvent) == true
        json.beginObject()
        json.key("type")
        json.string(isPage ? "page" : "track")
        text("messageId", members.id)
        if let time = members.time?.datedTime {
            json.key("timestamp")
            json.string(time.rfc3339)
        }
        text("userId", members.userID)
        text("anonymousId", members.installID)
        if !Self.isText(members.userID), !Self.isText(members.installID) {
            json.key("anonymousId")
            json.string("unknown")
        }
        if isPage {
            text("name", members.value?.member("page"))
        } else if Self.isText(members.name) {
            text("event", members.name)
        } else {
            json.key("event")
            json.string("unnamed")
        }
        if let value = members.value, value.kind == .object {
            json.key("properties")
            json.value(value)
        }
        json.key("context")
        json.beginObject()
        product("app", members.context?.member("app", .string))
        product("os", members.context?.member("os", .string))
        product("library", members.context?.member("sdk", .string))
        json.key("tracking")
        json.beginObject()
        kept(.version, members.version)
        kept(.seq, members.seq)
        kept(.sessionID, members.sessionID)
        kept(.schema, members.schema)
        kept(.context, members.context)
        kept(.origin, members.origin)
        if carriesLine {
            json.key("line")
            json.string(String(decoding: line, as: UTF8.self))
        }
        json.endObject()
        json.endObject()
        json.endObject()
    }

    /// Appends the message.
    consuming func append(to output: inout [UInt8]) { json.withUnsafeBytes { output.append(contentsOf: $0) } }

    private static func isText(_ value: JSONSpan?) -> Bool {
        value.map { $0.kind == .string && !$0.content.isEmpty } ?? false
    }

    private mutating func text(_ name: StaticString, _ value: JSONSpan?) {
        guard let value, Self.isText(value) else { return }
        json.key(name)
        json.value(value)
    }

    private mutating func kept(_ name: EnvelopeMember, _ value: JSONSpan?) {
        guard let value else { return }
        json.key(name)
        json.value(value)
    }

    /// Writes `GitHubClient 1.0` as name and version, split at the last space.
    private mutating func product(_ name: StaticString, _ text: JSONSpan?) {
        guard let text else { return }
        json.key(name)
        json.beginObject()
        let (product, version) = text.product
        json.key("name")
        json.plainString(product)
        if let version {
            json.key("version")
            json.plainString(version)
        }
        json.endObject()
    }
}
