public import JSONLines

/// A container read from its line.
///
/// The event stays JSON: decoding it requires the types of the app that sent it.
public struct RecordedContainer: Sendable {
    /// Identity of the event.
    public let id: EventID
    /// Identity of the event log that sent it.
    public let installID: String
    /// The event's sequence number within the install.
    public let seq: Int64
    /// When the event was sent.
    public let time: EventTime
    /// The event's name.
    public let name: String
    /// The complete line as JSON.
    public let json: JSONValue
    /// The exact bytes of the line, without the line feed.
    public let line: [UInt8]
    private let members: [JSONParser.Member]

    /// The integers that I-JSON (RFC 7493) represents exactly.
    private static let seqs: ClosedRange<Int64> = 1...EventRecord.highestSeq

    /// Reads a line.
    ///
    /// - Throws: ``/JSONLines/JSONSyntaxError`` if it isn't JSON, ``NotAContainer`` if it is not a container.
    public init(line: [UInt8]) throws {
        let (json, members) = try JSONParser.parseWithMembers(line)
        guard case .object = json else { throw NotAContainer(member: nil) }
        self.json = json
        self.members = members
        self.line = line
        id = try Self.member(.id, in: json) { $0.stringValue.flatMap { EventID($0) } }
        installID = try Self.member(.installID, in: json, \.stringValue)
        seq = try Self.member(.seq, in: json) { $0.integerValue.flatMap { Self.seqs.contains($0) ? $0 : nil } }
        let digits = members.first { $0.name == EnvelopeMember.time.rawValue }.map { line[$0.range] } ?? []
        time = try Self.member(.time, in: json) { value in
            digits.withUnsafeBytes { Self.time($0) } ?? Self.time(value)
        }
        guard let event = json[.event] else { throw NotAContainer(member: EnvelopeMember.event.rawValue) }
        guard let name = event[EnvelopeMember.Event.name.rawValue]?.stringValue else {
            throw NotAContainer(member: "\(EnvelopeMember.Event.name.path)")
        }
        self.name = name
    }

    private static func member<T>(
        _ member: EnvelopeMember, in json: JSONValue, _ read: (JSONValue) -> T?
    ) throws -> T {
        guard let value = json[member].flatMap(read) else { throw NotAContainer(member: member.rawValue) }
        return value
    }

    /// The exact time of a number as written; nil if microseconds can't represent it.
    private static func time(_ digits: UnsafeRawBufferPointer) -> EventTime? {
        digits.withMemoryRebound(to: UInt8.self) { EventTime(secondsSince1970: $0) }
    }

    private static func time(_ value: JSONValue) -> EventTime? {
        switch value {
        case .integer(let seconds):
            let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
            return overflows ? nil : EventTime(microseconds: product)
        case .number(let seconds):
            return Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
        default: return nil
        }
    }

    /// The event in the form that a log accepts in a replay.
    public var recordedEvent: RecordedEvent {
        let record = EventRecord(seq: seq, id: id, time: time, name: name, line: line)
        return RecordedEvent(record: record, installID: installID) { newInstallID, newSeq in
            relabelled(installID: newInstallID, seq: newSeq, recordsOrigin: true)
        }
    }

    /// The line with another install and number, and with its first origin; all other bytes unchanged.
    ///
    /// - Parameter recordsOrigin: Whether to record this line's install and number if it has no origin yet.
    package func relabelled(installID newInstallID: String, seq newSeq: Int64, recordsOrigin: Bool) -> [UInt8] {
        let install = EnvelopeMember.installID.rawValue
        let number = EnvelopeMember.seq.rawValue
        let event = EnvelopeMember.event.rawValue
        var writer = JSONWriter(capacity: line.count + 96)
        writer.beginObject()
        for member in members {
            if recordsOrigin, member.name == event, json[.origin] == nil {
                writer.key(.origin)
                writer.beginObject()
                writer.key(.installID)
                writer.string(installID)
                writer.key(.seq)
                writer.integer(seq)
                writer.endObject()
            }
            writer.key(member.name)
            switch member.name {
            case install: writer.string(newInstallID)
            case number: writer.integer(newSeq)
            default: writer.value(line[member.range])
            }
        }
        writer.endObject()
        return writer.bytes
    }
}

/// A line is JSON, but not a tracking container.
public struct NotAContainer: Error, Equatable, Sendable, CustomStringConvertible {
    /// The member that is missing or has the wrong type; nil if the line is not an object.
    public let member: String?

    /// The error in a few words.
    public var description: String {
        member.map { "not a tracking container: '\($0)' is missing or of the wrong type" }
            ?? "not a tracking container: the line is not an object"
    }
}

/// The origin of a replayed event that got a new number in this log.
public struct EventOrigin: Hashable, Sendable {
    /// The install that sent it.
    public let installID: String
    /// The event's number in that install.
    public let seq: Int64

    /// Makes an origin.
    public init(installID: String, seq: Int64) {
        self.installID = installID
        self.seq = seq
    }
}

extension RecordedContainer {
    /// Reads a line like ``init(line:)``; nil if it is not a container.
    ///
    /// The only thing lost is which member is missing, or where the JSON is invalid. Call this where every other line has
    /// the same effect; call ``init(line:)`` to report the error.
    package init?(validating line: [UInt8]) {
        do { try self.init(line: line) } catch { return nil }
    }
}
