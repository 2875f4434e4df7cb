internal import EventFormats
internal import EventModel
internal import EventQuery
internal import JSONLines

/// Maps lines of another system's log to events; see the article *Importing other systems' logs*.
package struct ImportMapping {
    /// The mapping of an event.
    struct Event {
        let name: String
        let schema: String
        /// In file order.
        let values: [(name: String, source: ValueSource)]
    }

    package let installID: String
    let time: ValueSource
    let timeFormat: ForeignTime
    let id: ValueSource?
    let user: ValueSource
    let session: ValueSource?
    /// The value that selects an entry of ``events``.
    let eventKey: ValueSource
    let events: [String: Event]
    /// Skips lines for which one of these conditions holds.
    let skips: [Condition]

    /// Reads a mapping file.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`; `dataError` with the line and column of the error.
    package init(path: String) throws { self = try SpecFile.read(path, noun: "mapping", depth: 5, Self.init) }

    private init(_ root: SpecNode) throws(JSONSyntaxError) {
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
        time = try Self.source(timeNode, extra: ["format"])
        timeFormat = try Self.timeFormat(timeNode)
        user = try Self.source(needed(EnvelopeMember.userID.rawValue))
        eventKey = try Self.source(needed(EnvelopeMember.event.rawValue))
        id = try Self.optional(members[EnvelopeMember.id.rawValue])
        session = try Self.optional(members[EnvelopeMember.sessionID.rawValue])
        skips = try Self.skips(members["skip"])
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
        return try source(node)
    }

    private static func timeFormat(_ node: SpecNode) throws(JSONSyntaxError) -> ForeignTime {
        guard let format = node.members.first(where: { $0.name == "format" })?.node else { return .rfc3339 }
        guard let known = ForeignTime(rawValue: try format.text("format")) else {
            throw format.issue("format must be one of \(ForeignTime.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return known
    }

    private static func skips(_ node: SpecNode?) throws(JSONSyntaxError) -> [Condition] {
        guard let node else { return [] }
        guard case .array(let texts) = node.value else { throw node.issue("skip must be a list of conditions") }
        var conditions: [Condition] = []
        for text in texts {
            guard let text = text.stringValue else { throw node.issue("a condition must be a string") }
            do throws(TypedTextError) { conditions.append(try Condition(text, now: SelectionOptions.now)) } catch {
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
            for member in value.members { values.append((member.name, try source(member.node))) }
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

    private static func source(_ node: SpecNode, extra: [String] = []) throws(JSONSyntaxError) -> ValueSource {
        let members = try node.members(["from", "constant", "template", "as", "optional"] + extra)
        var origins: [ValueSource.Origin] = []
        if let from = members["from"] {
            let text = try from.text("from")
            do throws(TypedTextError) { origins.append(.path(try EventPath(text))) } catch {
                throw from.issue("from: \(error)")
            }
        }
        if let template = members["template"] {
            let text = try template.text("template")
            do throws(TypedTextError) { origins.append(.template(try Template(text))) } catch {
                throw template.issue("template: \(error)")
            }
        }
        if let constant = members["constant"] { origins.append(.constant(constant.value)) }
        guard origins.count == 1 else { throw node.issue("use exactly one of from, constant and template") }
        var source = ValueSource(origin: origins[0])
        if let type = members["as"] {
            guard let cast = ValueSource.Cast(rawValue: try type.text("as")) else {
                throw type.issue(
                    "as must be one of \(ValueSource.Cast.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            source.cast = cast
        }
        if let optional = members["optional"] {
            try optional.expect(true, "optional")
            source.isOptional = true
        }
        return source
    }
}

/// The source of a member of a container.
struct ValueSource {
    enum Origin {
        case path(EventPath)
        case constant(JSONValue)
        case template(Template)
    }

    /// The target type of a conversion.
    enum Cast: String, CaseIterable {
        case text, integer, number, boolean
    }

    let origin: Origin
    var cast: Cast?
    /// Whether lines may lack the value.
    var isOptional = false

    /// The value in a line; nil if it is missing or `null`.
    ///
    /// - Throws: ``Refusal`` if the value cannot be converted.
    func value(of line: ForeignLine, named name: String) throws -> JSONValue? {
        let value: JSONValue?
        switch origin {
        case .path(let path): value = path.value(in: line.value)
        case .constant(let constant): value = constant
        case .template(let template): value = .string(try Self.text(template, line))
        }
        guard let value, value != .null else { return nil }
        guard let cast else { return value }
        guard let turned = value.cast(to: cast) else { throw Refusal("\(name) is not of type \(cast.rawValue)") }
        return turned
    }

    private static func text(_ template: Template, _ line: ForeignLine) throws -> String {
        var format = try OutputFormat.lineFormat(of: template, FormatOptions())
        var text: [UInt8] = []
        try line.bytes.withUnsafeBytes { try format.append($0, into: &text) }
        return String(decoding: text.dropLast(), as: UTF8.self)  // the line feed
    }
}

extension JSONValue {
    /// The value converted to another type; nil if that is impossible.
    fileprivate func cast(to type: ValueSource.Cast) -> JSONValue? {
        switch (type, self) {
        case (.text, .string), (.integer, .integer), (.boolean, .bool), (.number, .number), (.number, .integer): self
        case (.text, .integer(let value)): .string("\(value)")
        case (.text, .number(let value)): .string("\(value)")
        case (.text, .bool(let value)): .string("\(value)")
        case (.integer, .string(let text)): Int64(text).map { .integer($0) }
        case (.integer, .number(let value)): Int64(exactly: value).map { .integer($0) }
        case (.number, .string(let text)): Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        case (.boolean, .string(let text)): Bool(text).map { .bool($0) }
        default: nil
        }
    }
}
