package import EventModel
package import EventQuery
package import JSONLines

/// Maps lines of another system's log to events; see the article *Importing other systems' logs*.
package struct ImportMapping: Sendable {
    struct Event: Sendable {
        let name: String
        let schema: String
        /// In file order.
        let values: [(name: String, source: ValueSource)]
    }

    package var installID: String
    let time: ValueSource
    let timeFormat: ForeignTime
    let id: ValueSource?
    let user: ValueSource
    let session: ValueSource?
    /// The value that selects an entry of ``events``.
    let eventKey: ValueSource
    let events: [String: Event]
    /// The event of all other lines.
    var otherEvents: Event? { events["*"] }
    /// Whether every line gives an event, unless it is skipped.
    package var hasOtherEvents: Bool { otherEvents != nil }
    /// Skips lines for which one of these conditions holds.
    let skips: [Condition]

    /// The number of levels of a mapping that ``init(_:now:)`` needs positions of.
    package static let depth = 5

    /// Reads a mapping.
    ///
    /// - Parameters:
    ///   - root: The whole file, with ``depth`` levels.
    ///   - now: The time that relative times in conditions refer to.
    package init(_ root: SpecNode, now: EventTime) throws(JSONSyntaxError) {
        let members = try root.members([
            EnvelopeMember.installID.rawValue, EnvelopeMember.time.rawValue, EnvelopeMember.id.rawValue,
            EnvelopeMember.userID.rawValue, EnvelopeMember.sessionID.rawValue, EnvelopeMember.event.rawValue,
            "events", "skip",
        ])
        func needed(_ name: String) throws(JSONSyntaxError) -> SpecNode {
            guard let node = members[name] else { throw root.issue("\(name) is missing") }
            return node
        }
        let install = try needed(EnvelopeMember.installID.rawValue)
        installID = try install.text(EnvelopeMember.installID.rawValue)
        guard (1...64).contains(installID.unicodeScalars.count) else {
            throw install.issue("install_id must have 1 to 64 characters")
        }
        let timeNode = try needed(EnvelopeMember.time.rawValue)
        time = try ValueSource(timeNode, extra: ["format"])
        timeFormat = try Self.timeFormat(timeNode)
        user = try ValueSource(needed(EnvelopeMember.userID.rawValue))
        eventKey = try ValueSource(needed(EnvelopeMember.event.rawValue))
        id = try Self.optional(members[EnvelopeMember.id.rawValue])
        session = try Self.optional(members[EnvelopeMember.sessionID.rawValue])
        skips = try Self.skips(members["skip"], now)
        let list = try needed("events")
        guard !list.members.isEmpty else {
            throw list.issue("events must be an object that maps each value of event to an event")
        }
        var events: [String: Event] = [:]
        for member in list.members { events[member.name] = try Self.event(member.node) }
        self.events = events
    }

    private static func optional(_ node: SpecNode?) throws(JSONSyntaxError) -> ValueSource? {
        guard let node else { return nil }
        return try ValueSource(node)
    }

    private static func timeFormat(_ node: SpecNode) throws(JSONSyntaxError) -> ForeignTime {
        guard let format = node.members.first(where: { $0.name == "format" })?.node else { return .rfc3339 }
        guard let known = ForeignTime(rawValue: try format.text("format")) else {
            throw format.issue("format must be one of \(ForeignTime.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return known
    }

    private static func skips(_ node: SpecNode?, _ now: EventTime) throws(JSONSyntaxError) -> [Condition] {
        guard let node else { return [] }
        guard case .array(let texts) = node.value else { throw node.issue("skip must be a list of conditions") }
        var conditions: [Condition] = []
        for text in texts {
            guard let text = text.stringValue else { throw node.issue("a condition must be a string") }
            do throws(TypedTextError) { conditions.append(try Condition(text, now: now)) } catch {
                throw node.issue("skip: \(error)")
            }
        }
        return conditions
    }

    private static func event(_ node: SpecNode) throws(JSONSyntaxError) -> Event {
        let members = try node.members(["name", "schema", "value"])
        guard let nameNode = members["name"] else { throw node.issue("name is missing") }
        let name = try nameNode.text("name")
        guard EventName.isValid(name) else {
            throw nameNode.issue("name must start with a letter and have 1 to 64 of a-z, 0-9 and single hyphens")
        }
        var values: [(name: String, source: ValueSource)] = []
        if let value = members["value"] {
            guard case .object = value.value else {
                throw value.issue("value must be an object that gives the source of each member")
            }
            for member in value.members { values.append((member.name, try ValueSource(member.node))) }
        }
        return Event(name: name, schema: try schema(members["schema"], of: name), values: values)
    }

    private static func schema(_ node: SpecNode?, of name: String) throws(JSONSyntaxError) -> String {
        guard let node else { return "\(name)/1-0-0" }
        let schema = try node.text("schema")
        guard schema.hasPrefix("\(name)/"), SchemaVersion(schema.dropFirst(name.count + 1)) != nil else {
            throw node.issue("schema must be the event's name and a version: \(name)/1-0-0")
        }
        return schema
    }
}
