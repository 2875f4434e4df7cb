package import EventModel
internal import EventQuery
internal import JSONLines
internal import Primitives

/// Converts lines of another system's log to containers, numbered 1, 2, 3 … in input order. The same lines and the
/// same mapping give the same bytes.
package struct LineImporter {
    /// The range of times that the container schema allows and that fits 64-bit microseconds, in whole seconds.
    private static let times = EventTime(seconds: 0)...EventTime(seconds: 9_223_372_036_854)

    let mapping: ImportMapping
    private var seq: Int64 = 0

    package init(_ mapping: ImportMapping) { self.mapping = mapping }

    package var installID: String { mapping.installID }

    /// Converts a line.
    ///
    /// - Throws: ``Refusal`` if the line gives no event. The next event then gets its number.
    package mutating func event(of line: ForeignLine) throws -> RecordedContainer {
        let event = try RecordedContainer(line: try container(of: line, seq: seq + 1).bytes)
        seq += 1
        return event
    }

    package struct Container {
        package var bytes: [UInt8]
        /// The digits of its number.
        package var seq: Range<Int>
        package var time: EventTime
        package var user: String
        package var schema: String
    }

    /// What a line that a client sent has even if its mapping finds none.
    package struct Fallback {
        /// When the line arrived.
        package var time: EventTime
        package var user: String
        /// Why the line is kept as the mapping's event for all other lines; nil to use the line's own event.
        package var problem: String?

        package init(time: EventTime, user: String, problem: String? = nil) {
            self.time = time
            self.user = user
            self.problem = problem
        }
    }

    /// Converts a line to a container with a number.
    ///
    /// - Throws: ``Refusal`` if the line gives no event.
    package func container(of line: ForeignLine, seq: Int64, fallback: Fallback? = nil) throws -> Container {
        let isSkipped = line.bytes.withUnsafeBytes { bytes in
            mapping.skips.contains { $0.holds(EventLine(bytes: bytes)) }
        }
        guard !isSkipped else { throw Refusal.skipped }
        let event = try self.event(of: line, isOther: fallback?.problem != nil)
        let time = try self.time(of: line, fallback)
        let user = try self.user(of: line, fallback)
        let id = try self.id(of: line, time)
        let session =
            try Self.text(mapping.session, in: line, name: EnvelopeMember.sessionID.rawValue).flatMap { EventID($0) }
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
        let end = json.count
        json.key(.sessionID)
        json.string("\(session)")
        json.key(.userID)
        json.string(user)
        json.key(.time)
        json.seconds(microseconds: time.microseconds)
        json.key(.schema)
        json.string(event.schema)
        json.key(.event)
        try Self.write(event, of: line, problem: fallback?.problem, to: &json)
        json.endObject()
        guard json.count <= EventRecord.maximumLineLength else { throw Refusal.tooLong }
        return Container(
            bytes: json.bytes, seq: end - "\(seq)".utf8.count..<end, time: time, user: user, schema: event.schema)
    }

    private func event(of line: ForeignLine, isOther: Bool) throws -> ImportMapping.Event {
        if isOther {
            guard let other = mapping.otherEvents else { throw Refusal("event is not in the mapping") }
            return other
        }
        guard let key = try mapping.eventKey.value(of: line, named: "event") else { throw Refusal("event is missing") }
        guard let event = key.stringValue.flatMap({ mapping.events[$0] }) ?? mapping.otherEvents else {
            throw Refusal("event is not in the mapping")
        }
        return event
    }

    private func time(of line: ForeignLine, _ fallback: Fallback?) throws -> EventTime {
        guard let written = try mapping.time.value(of: line, named: "time") else {
            guard let fallback else { throw Refusal("time is missing") }
            return fallback.time
        }
        guard let time = mapping.timeFormat.time(of: written), Self.times.contains(time) else {
            if let fallback, fallback.problem != nil { return fallback.time }
            throw Refusal("time does not have the format \(mapping.timeFormat.rawValue)")
        }
        return time
    }

    private func user(of line: ForeignLine, _ fallback: Fallback?) throws -> String {
        let name = EnvelopeMember.userID.rawValue
        let user = try Self.text(mapping.user, in: line, name: name)
        if let user, (1...128).contains(user.unicodeScalars.count) { return user }
        // A client may send no user; an invalid one is a problem.
        guard let fallback, user == nil || fallback.problem != nil else {
            throw Refusal("user_id is missing or does not have 1 to 128 characters")
        }
        return fallback.user
    }

    private static func write(
        _ event: ImportMapping.Event, of line: ForeignLine, problem: String?, to json: inout JSONWriter
    ) throws {
        json.beginObject()
        json.key(.name)
        json.string(event.name)
        if !event.values.isEmpty || problem != nil {
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
            if let problem, !event.values.contains(where: { $0.name == "problem" }) {
                json.key("problem")
                json.string(problem)
            }
            json.endObject()
        }
        json.endObject()
    }

    /// A string, or a whole number as a string.
    private static func text(_ source: ValueSource?, in line: ForeignLine, name: String) throws -> String? {
        guard let value = try source?.value(of: line, named: name) else { return nil }
        return value.stringValue ?? value.integerValue.map { "\($0)" }
    }

    /// The line's own id if it is a UUIDv7, as containers require. Otherwise an id derived from the install and the
    /// line's id, or from the install and the whole line.
    private func id(of line: ForeignLine, _ time: EventTime) throws -> EventID {
        let own = try Self.text(mapping.id, in: line, name: "id")
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
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    package static let skipped = Refusal("skipped by a condition")
    package static let tooLong = Refusal("longer than 32 KiB")
}
