internal import EventModel
internal import EventQuery
internal import JSONLines
internal import TrackingCore

/// The scanner that finds members of a line without parsing it: in a JSON line, it must find the same as the parser.
///
/// An input is a line, up to its first line feed.
package final class ScannerTarget: FuzzTarget {
    package static let name = "scanner"

    private static let members: [EventLineScanner.Members] = [
        .id, .installID, .seq, .sessionID, .userID, .time, .schema,
    ]
    private static let all = EventLineScanner.Members(members)

    package init() throws {}

    package func seeds() throws -> [[UInt8]] { try LineSeeds.lines() }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        try line.withUnsafeBytes { bytes in
            let found = try? EventLineScanner(Self.all).scan(bytes)  // the error does not matter here
            try checkParts(bytes, found)
            try checkCursor(found)
            guard let parsed = try? JSONParser.parse(line) else { return }
            try check(found, bytes, parsed)
            try ScannedValues.check(EventLine(bytes: bytes), parsed)
            guard let container = try? RecordedContainer(line: line) else { return }
            let event = try? EventLineScanner([.seq, .time, .installID]).scan(bytes)
            try require(
                event?.seq == container.seq && event.flatMap { $0.text($0.name) } == container.name,
                "the scanner reads another number or name than the parser")
            try require(
                event?.time == container.time,
                "the scanner reads \(event?.time?.microseconds ?? 0) µs, the parser \(container.time.microseconds)")
        }
    }

    /// The position of a member does not depend on the other requested members.
    private func checkParts(_ bytes: UnsafeRawBufferPointer, _ found: EventLine?) throws {
        for members in [[]] + Self.members {
            let part = try? EventLineScanner(members).scan(bytes)
            guard let found else { continue }
            guard let part else { throw FuzzIssue("a line is rejected if fewer members are requested") }
            try require(
                part.text(part.name) == found.text(found.name) && part.event == found.event,
                "the event has another position if fewer members are requested")
            for (member, location) in Self.texts where members.contains(member) {
                try require(
                    part.raw(location(part)).elementsEqual(found.raw(location(found))),
                    "a member has another position if fewer members are requested")
            }
        }
    }

    private static let texts: [(EventLineScanner.Members, @Sendable (EventLine) -> EventLine.Location)] = [
        (.id, { $0.id }), (.installID, { $0.installID }), (.sessionID, { $0.sessionID }), (.userID, { $0.userID }),
        (.schema, { $0.schema }),
    ]

    private static let names = ["id", "install_id", "session_id", "user_id", "schema"]

    /// The text of a cursor can be parsed.
    private func checkCursor(_ found: EventLine?) throws {
        guard let found, let seq = found.seq, let install = found.text(found.installID), !install.isEmpty
        else { return }
        var cursor = EventCursor()
        cursor.advance(to: found)
        guard let again = EventCursor(cursor.description) else { throw FuzzIssue("a cursor cannot be read") }
        try require(
            again.description == cursor.description && again.highestSeq(of: install) == seq,
            "a parsed cursor differs")
    }

    /// The scanner takes a line of JSON if the members that it looks for are what they must be, and gives their values.
    private func check(_ found: EventLine?, _ bytes: UnsafeRawBufferPointer, _ parsed: JSONValue) throws {
        let isEvent = parsed["event"]?["name"]?.stringValue != nil
        try require(
            ((try? EventLineScanner().scan(bytes)) != nil) == isEvent,
            "the scanner and the parser differ about an event")
        let texts = Self.names.allSatisfy { parsed[$0].map { $0.stringValue != nil } ?? true }
        let isWhole =
            isEvent && texts && parsed["install_id"] != nil && parsed["seq"].map(Self.isNumber) ?? false
            && parsed["time"].map(Self.isNumber) ?? false
        try require((found != nil) == isWhole, "the scanner and the parser differ about the members of a line")
        guard let found else { return }
        for (name, (_, location)) in zip(Self.names, Self.texts) {
            try require(
                found.text(location(found)) == parsed[name]?.stringValue, "the scanner reads another \(name)")
        }
        if let seq = parsed["seq"]?.integerValue {
            try require(
                found.seq == (1...EventRecord.highestSeq ~= seq ? seq : nil), "the scanner reads another seq")
        }
    }

    private static func isNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .integer, .number: true
        default: false
        }
    }
}
