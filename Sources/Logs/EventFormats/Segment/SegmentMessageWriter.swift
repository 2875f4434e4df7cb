internal import EventLog
internal import EventModel
internal import JSONLines
internal import JSONSchema

/// Writes a message; ``SegmentFormat`` says what stands where.
struct SegmentMessageWriter: ~Copyable {
    private var json: JSONWriter

    /// - Parameter carriesLine: Whether the line itself becomes a part of the message.
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
        kept("v", members.version)
        kept("seq", members.seq)
        kept("session_id", members.sessionID)
        kept("schema", members.schema)
        kept("context", members.context)
        kept("origin", members.origin)
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

    private mutating func kept(_ name: StaticString, _ value: JSONSpan?) {
        guard let value else { return }
        json.key(name)
        json.value(value)
    }

    /// Writes `GitHubClient 1.0` as name and version, cut at the last space.
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
