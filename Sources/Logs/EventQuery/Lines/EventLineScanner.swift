internal import EventModel
internal import Foundation
package import JSONLines

/// Finds members of an event's line by its structure: from value to value of the outermost object, skipping strings
/// and nested values.
///
/// A `"name":"search"` inside a query or `user_info` is never taken for the event's name, and a truncated line is
/// never accepted. The contents of values are not checked; for a full check, use `RecordedContainer`, at a tenth of
/// the speed.
package struct EventLineScanner: Sendable {
    package struct Members: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let id = Members(rawValue: 1)
        package static let installID = Members(rawValue: 2)
        package static let seq = Members(rawValue: 4)
        package static let sessionID = Members(rawValue: 8)
        package static let userID = Members(rawValue: 16)
        package static let time = Members(rawValue: 32)
        package static let schema = Members(rawValue: 64)
        package static let event = Members(rawValue: 128)
    }

    /// The members to find. A line without an event is always rejected.
    private let wanted: Members

    /// Creates a scanner for members, in addition to the event's name.
    package init(_ wanted: Members = []) { self.wanted = wanted.union(.event) }

    /// Scans a line without its line feed.
    ///
    /// - Throws: `JSONSyntaxError` if the line is not an object with a named event; if a requested member has the
    ///   wrong type, or occurs twice up to the last requested one; if a requested time, number or install is missing.
    @inline(__always)
    package func scan(_ line: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> EventLine {
        guard let start = line.baseAddress, line.count <= Int(Int32.max) else { throw Self.notAnObject }
        var walk = Walk(bytes: start.assumingMemoryBound(to: UInt8.self), end: line.count, line: EventLine(bytes: line))
        try walk.run(wanted)
        return walk.line
    }

    private static var notAnObject: JSONSyntaxError {
        JSONSyntaxError(offset: 0, reason: "not a tracking container: the line is not an object")
    }

    /// The state of scanning one line.
    private struct Walk {
        let bytes: UnsafePointer<UInt8>
        let end: Int
        var line: EventLine
        var found: Members = []
        var at = 0

        @inline(__always)
        mutating func run(_ wanted: Members) throws(JSONSyntaxError) {
            space()
            guard at < end, bytes[at] == UInt8(ascii: "{") else { throw EventLineScanner.notAnObject }
            at += 1
            space()
            while at < end, bytes[at] == JSONBytes.quote {
                let key = at + 1
                let quote = try closingQuote(key)
                at = quote + 1
                if at < end, bytes[at] == UInt8(ascii: ":") { at += 1 } else { try colon() }
                if at < end, bytes[at] <= 0x20 { space() }
                try member(at: key, length: quote - key, wanted: wanted)
                try comma()
            }
            try finish(wanted)
        }

        private mutating func space() { at = JSONBytes.skipSpace(bytes, from: at, to: end) }

        private func issue(_ reason: String, at location: Int? = nil) -> JSONSyntaxError {
            JSONSyntaxError(offset: min(location ?? at, end), reason: reason)
        }

        @inline(__always)
        private func closingQuote(_ start: Int) throws(JSONSyntaxError) -> Int {
            guard let quote = JSONBytes.closingQuote(bytes, from: start, to: end) else {
                throw issue("the line ends inside a string", at: end)
            }
            return quote
        }

        @inline(never)
        private mutating func colon() throws(JSONSyntaxError) {
            space()
            guard at < end, bytes[at] == UInt8(ascii: ":") else { throw issue("expected ':' after a name") }
            at += 1
        }

        /// Skips a separator between members; stops at the end of the object.
        @inline(__always)
        private mutating func comma() throws(JSONSyntaxError) {
            if at < end, bytes[at] <= 0x20 { space() }
            guard at < end else { throw issue("the line ends inside an object") }
            if bytes[at] == UInt8(ascii: "}") { return }
            guard bytes[at] == UInt8(ascii: ",") else { throw issue("expected ',' or '}'") }
            at += 1
            if at < end, bytes[at] <= 0x20 { space() }
            guard at < end, bytes[at] == JSONBytes.quote else { throw issue("expected a name in quotes") }
        }

        /// Checks the end of the object, and that required members were found.
        private mutating func finish(_ wanted: Members) throws(JSONSyntaxError) {
            guard at < end, bytes[at] == UInt8(ascii: "}") else { throw issue("expected '}'") }
            let needed: KeyValuePairs<Members, EnvelopeMember> = [
                .event: .event, .time: .time, .seq: .seq, .installID: .installID,
            ]
            for (member, name) in needed where wanted.contains(member) && !found.contains(member) {
                throw JSONSyntaxError(
                    offset: 0, reason: "not a tracking container: '\(name.name)' is missing or of the wrong type")
            }
            at += 1
            space()
            guard at == end else { throw issue("expected the end of the line") }
        }

        @inline(__always)
        private mutating func member(at key: Int, length: Int, wanted: Members) throws(JSONSyntaxError) {
            if let name = name(key, length), wanted.contains(name) {
                guard !found.contains(name) else { throw issue("duplicate name in an object", at: key - 1) }
                found.insert(name)
                return try keep(name)
            }
            guard let next = JSONBytes.skipValue(bytes, from: at, to: end) else { throw issue("expected a value") }
            at = next
        }

        /// The member with this name, if it can be requested.
        @inline(__always)
        private func name(_ key: Int, _ length: Int) -> Members? {
            let name: (Members, EnvelopeMember)
            switch length {
            case 2: name = (.id, .id)
            case 3: name = (.seq, .seq)
            case 4: name = (.time, .time)
            case 5: name = (.event, .event)
            case 6: name = (.schema, .schema)
            case 7: name = (.userID, .userID)
            case 10: name = bytes[key] == UInt8(ascii: "i") ? (.installID, .installID) : (.sessionID, .sessionID)
            default: return length > 10 ? escapedName(key, length) : nil
            }
            if memcmp(bytes + key, name.1.name.utf8Start, length) == 0 { return name.0 }
            return escapedName(key, length)
        }

        /// Like ``name(_:_:)``, for a name with escapes, which is rare but valid.
        @inline(__always)
        private func escapedName(_ key: Int, _ length: Int) -> Members? {
            let raw = UnsafeRawBufferPointer(start: bytes + key, count: length)
            guard JSONText.hasEscapes(raw) else { return nil }
            return EnvelopeMember(rawValue: JSONText.text(raw) ?? "").flatMap(Self.members)
        }

        private static func members(of member: EnvelopeMember) -> Members? {
            switch member {
            case .id: .id
            case .installID: .installID
            case .seq: .seq
            case .sessionID: .sessionID
            case .userID: .userID
            case .time: .time
            case .schema: .schema
            case .event: .event
            case .version, .unplanned, .context, .origin: nil
            }
        }

        @inline(__always)
        private mutating func keep(_ name: Members) throws(JSONSyntaxError) {
            switch name {
            case .id: line.id = try text(.id)
            case .installID: line.installID = try text(.installID)
            case .sessionID: line.sessionID = try text(.sessionID)
            case .userID: line.userID = try text(.userID)
            case .schema: line.schema = try text(.schema)
            case .seq: line.seqLocation = try number(.seq)
            case .time: line.timeLocation = try number(.time)
            default: try event()
            }
        }

        private func wrongType(_ name: StaticString) -> JSONSyntaxError {
            issue("not a tracking container: '\(name)' is missing or of the wrong type")
        }

        @inline(__always)
        private mutating func text(_ member: EnvelopeMember) throws(JSONSyntaxError) -> EventLine.Location {
            try text(named: member.name)
        }

        /// Reads a string.
        ///
        /// - Parameter name: The member's name in errors.
        @inline(__always)
        private mutating func text(named name: StaticString) throws(JSONSyntaxError) -> EventLine.Location {
            guard at < end, bytes[at] == JSONBytes.quote else { throw wrongType(name) }
            let start = at + 1
            let quote = try closingQuote(start)
            at = quote + 1
            return EventLine.Location(start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: quote))
        }

        @inline(__always)
        private mutating func number(_ member: EnvelopeMember) throws(JSONSyntaxError) -> EventLine.Location {
            let start = at
            guard at < end, bytes[at] == UInt8(ascii: "-") || 0x30...0x39 ~= bytes[at],
                let next = JSONBytes.skipValue(bytes, from: at, to: end)
            else { throw wrongType(member.name) }
            at = next
            return EventLine.Location(start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: next))
        }

        /// Reads the event's name and skips the rest of the event.
        @inline(__always)
        private mutating func event() throws(JSONSyntaxError) {
            guard at < end, bytes[at] == UInt8(ascii: "{") else { throw wrongType(EnvelopeMember.event.name) }
            let start = at
            line.event = start
            try eventName(from: at + 1)
            guard let next = JSONBytes.skipNested(bytes, from: start, to: end) else {
                throw issue("the line ends inside an object", at: end)
            }
            at = next
        }

        @inline(__always)
        private mutating func eventName(from start: Int) throws(JSONSyntaxError) {
            at = start
            if end - at > 8, memcmp(bytes + at, "\"name\":\"", 8) == 0 {
                at += 7
                line.name = try text(named: EnvelopeMember.Event.name.path)
                return
            }
            try anyEventName()
        }

        @inline(never)
        private mutating func anyEventName() throws(JSONSyntaxError) {
            space()
            while at < end, bytes[at] == JSONBytes.quote {
                let key = at + 1
                let quote = try closingQuote(key)
                at = quote + 1
                try colon()
                space()
                let raw = UnsafeRawBufferPointer(start: bytes + key, count: quote - key)
                if TextMatcher.nameKey.matches(escaped: raw) {
                    line.name = try text(named: EnvelopeMember.Event.name.path)
                    return
                }
                guard let next = JSONBytes.skipValue(bytes, from: at, to: end) else { throw issue("expected a value") }
                at = next
                try comma()
            }
            throw wrongType(EnvelopeMember.Event.name.path)
        }
    }
}

extension TextMatcher {
    fileprivate static let nameKey = TextMatcher(exactly: "name")
}
