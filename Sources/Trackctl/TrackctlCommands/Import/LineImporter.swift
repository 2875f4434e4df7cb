package import EventModel
internal import EventQuery
internal import JSONLines
internal import Primitives
internal import TrackingPlan

/// Converts lines of another system's log to containers, numbered 1, 2, 3 … in input order. The same lines and the
/// same mapping give the same bytes.
package struct LineImporter {
    /// The range of times that the container schema allows and that fits 64-bit microseconds, in whole seconds.
    private static let times = EventTime(seconds: 0)...EventTime(seconds: 9_223_372_036_854)

    let mapping: ImportMapping
    private var seq: Int64 = 0

    package init(_ mapping: ImportMapping) { self.mapping = mapping }

    /// Converts a line.
    ///
    /// - Throws: ``Refusal`` if the line gives no event. The next event then gets its number.
    package mutating func event(of line: ForeignLine) throws -> RecordedContainer {
        let event = try RecordedContainer(line: try container(of: line, seq: seq + 1))
        seq += 1
        return event
    }

    private func container(of line: ForeignLine, seq: Int64) throws -> [UInt8] {
        let isSkipped = line.bytes.withUnsafeBytes { bytes in
            mapping.skips.contains { $0.holds(EventLine(bytes: bytes)) }
        }
        guard !isSkipped else { throw Refusal("skipped by a condition") }
        guard let key = try mapping.eventKey.value(of: line, named: "event") else { throw Refusal("event is missing") }
        guard let name = key.stringValue, let event = mapping.events[name] else {
            throw Refusal("event is not in the mapping")
        }
        guard let written = try mapping.time.value(of: line, named: "time") else { throw Refusal("time is missing") }
        guard let time = mapping.timeFormat.time(of: written), Self.times.contains(time) else {
            throw Refusal("time does not have the format \(mapping.timeFormat.rawValue)")
        }
        guard let user = try Self.text(mapping.user, line, EnvelopeMember.userID.rawValue),
            (1...128).contains(user.unicodeScalars.count)
        else {
            throw Refusal("user_id is missing or does not have 1 to 128 characters")
        }
        let id = try self.id(of: line, time)
        let session =
            try Self.text(mapping.session, line, EnvelopeMember.sessionID.rawValue).flatMap { EventID($0) }
            ?? derived(["session", user]) { EventID(high: $0 & ~0xF000 | 0x8000, low: $1 >> 2 | 1 << 63) }

        var json = JSONWriter()
        json.beginObject()
        json.key(.version)
        json.integer(1)
        json.key(.id)
        json.string("\(id)")
        json.key(.installID)
        json.string(mapping.installID)
        json.key(.seq)
        json.integer(seq)
        json.key(.sessionID)
        json.string("\(session)")
        json.key(.userID)
        json.string(user)
        json.key(.time)
        json.seconds(microseconds: time.microseconds)
        json.key(.schema)
        json.string(event.schema)
        json.key(.event)
        try Self.write(event, of: line, to: &json)
        json.endObject()
        guard json.bytes.count <= LineChecker.maximumLength else { throw Refusal("longer than 32 KiB") }
        return json.bytes
    }

    private static func write(_ event: ImportMapping.Event, of line: ForeignLine, to json: inout JSONWriter) throws {
        json.beginObject()
        json.key(.name)
        json.string(event.name)
        if !event.values.isEmpty {
            json.key(.value)
            json.beginObject()
            for (name, source) in event.values {
                guard let value = try source.value(of: line, named: "value.\(name)") else {
                    guard source.isOptional else { throw Refusal("value.\(name) is missing") }
                    continue
                }
                json.key(name)
                do { try value.write(to: &json) } catch is JSONEncodingError {
                    throw Refusal("value.\(name) is nested too deeply, or has an integer beyond ±(2^53−1)")
                }
            }
            json.endObject()
        }
        json.endObject()
    }

    /// A string, or a whole number as a string.
    private static func text(_ source: ValueSource?, _ line: ForeignLine, _ name: String) throws -> String? {
        guard let value = try source?.value(of: line, named: name) else { return nil }
        return value.stringValue ?? value.integerValue.map { "\($0)" }
    }

    /// The line's own id if it is a UUIDv7, as containers require. Otherwise an id derived from the install and the
    /// line's id, or from the install and the whole line.
    private func id(of line: ForeignLine, _ time: EventTime) throws -> EventID {
        let own = try Self.text(mapping.id, line, "id")
        if let own, let id = EventID(own), id.high >> 12 & 0xF == 7, id.low >> 62 == 2 { return id }
        let source = own ?? String(decoding: line.bytes, as: UTF8.self)
        return derived([own == nil ? "line" : "id", source]) { high, low in
            EventID(milliseconds: time.milliseconds, counter: UInt16(truncatingIfNeeded: high), random: low)
        }
    }

    /// Derives an id from 128 bits of a digest of the install and the texts.
    private func derived(_ texts: [String], _ make: (UInt64, UInt64) -> EventID) -> EventID {
        // The zero byte keeps different texts from joining to the same bytes.
        let digest = SHA256.bytes(of: Array(([mapping.installID] + texts).joined(separator: "\0").utf8))
        func half(_ start: Int) -> UInt64 { digest[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        return make(half(0), half(8))
    }
}

/// The reason why a line gives no event. Many lines share a reason; it quotes nothing of the line.
package struct Refusal: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
