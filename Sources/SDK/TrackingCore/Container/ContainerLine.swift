internal import EventModel
internal import JSONLines

/// Writes the line of a container. This is the only type that knows the order of its members.
///
/// A line consists of encoded pieces that many events share, and between them the values of the single event: id, seq,
/// time and value.
enum ContainerLine {
    private static let opening: StaticString = #"{"v":1,"id":""#
    private static let closing: StaticString = "}}"

    private static func writeInstall(_ installID: String, to json: inout JSONWriter) {
        json.key(.installID)
        json.string(installID)
        json.key(.seq)
    }

    /// The bytes between seq and time, without the comma.
    static func writeSender(sessionID: String, userID: String, to json: inout JSONWriter) {
        json.key(.sessionID)
        json.string(sessionID)
        json.key(.userID)
        json.string(userID)
        json.key(.time)
    }

    private static func writeKind(
        name: String, version: SchemaVersion, context: TrackingContext?, isPlanned: Bool, carriesValue: Bool,
        to json: inout JSONWriter
    ) {
        json.key(.schema)
        version.write(after: name, to: &json)
        if !isPlanned {
            json.key(.unplanned)
            json.bool(true)
        }
        if let context {
            json.key(.context)
            context.write(to: &json)
        }
        json.key(.event)
        json.beginObject()
        json.key(.name)
        json.string(name)
        if carriesValue { json.key(.value) }
    }

    /// Writes the complete line of a container.
    static func write<Event: TrackingEvent>(
        _ container: TrackingContainer, around event: Event, to json: inout JSONWriter
    ) throws {
        json.beginObject()
        json.key(.version)
        json.integer(TrackingContainer.version)
        json.key(.id)
        json.plainString(count: EventID.textLength) { container.id.writeText(to: $0) }
        writeInstall(container.installID, to: &json)
        json.integer(container.seq)
        writeSender(sessionID: container.sessionID, userID: container.userID, to: &json)
        json.seconds(microseconds: container.time.microseconds)
        writeKind(
            name: Event.name, version: Event.schemaVersion, context: container.context, isPlanned: Event.isPlanned,
            carriesValue: Event.carriesValue, to: &json)
        if Event.carriesValue { try event.writeValue(to: &json) }
        json.endObject()
        json.endObject()
    }

    /// The bytes between id and seq.
    static func afterID(installID: String) -> [UInt8] {
        piece(after: "\",") { writeInstall(installID, to: &$0) }
    }

    /// The bytes between seq and time, without the texts of session and user.
    static let senderLength = #","session_id":"","user_id":"","time":"#.utf8.count
    /// Where the text of the session starts in them.
    static let sessionStart = #","session_id":""#.utf8.count
    /// The bytes after the text of the user.
    static let timeLength = #"","time":"#.utf8.count

    /// The bytes between time and the event's value; without a value, the bytes up to the end of the line.
    static func afterTime(
        name: String, version: SchemaVersion, context: TrackingContext?, isPlanned: Bool, carriesValue: Bool
    ) -> [UInt8] {
        piece(after: ",") {
            writeKind(
                name: name, version: version, context: context, isPlanned: isPlanned, carriesValue: carriesValue,
                to: &$0)
        }
    }

    private static func piece(after start: String, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return Array(start.utf8) + json.bytes
    }

    /// The most bytes of a line without envelope context, kind and value: `v` and the ends, an id, and two numbers of
    /// at most 20 and 21 characters, sign and decimal point included.
    private static let variableLength = 13 + 36 + 20 + 21 + 2

    /// An upper bound of the length of the line of these parts: at most 39 bytes more than the line has.
    @inline(__always)
    static func sufficientLength(envelopeContext: Int, kind: EventKind, value: Int) -> Int {
        variableLength + envelopeContext + kind.afterTime.count + value
    }

    /// Writes a line of at most `limit` bytes, without the line feed. Returns nil if the line is longer.
    ///
    /// - Parameter line: The destination, with room for ``sufficientLength(envelopeContext:kind:value:)`` bytes, or
    ///   `limit` bytes.
    /// - Returns: The line's length in bytes.
    @inline(__always)
    static func write(
        id: EventID, seq: Int64, time: EventTime, envelopeContext: EnvelopeContext, kind: EventKind,
        value: UnsafeRawBufferPointer, to line: UnsafeMutableRawBufferPointer, limit: Int
    ) -> Int? {
        let sufficient = sufficientLength(envelopeContext: envelopeContext.length, kind: kind, value: value.count)
        if let start = line.baseAddress, line.count >= sufficient, sufficient <= limit {
            return write(
                id: id, seq: seq, time: time, envelopeContext: envelopeContext, kind: kind, value: value, at: start)
        }
        // Only the finished line shows whether it exceeds the limit.
        return withUnsafeTemporaryAllocation(byteCount: sufficient, alignment: 1) { memory in
            guard let start = memory.baseAddress else { return nil }
            let length = write(
                id: id, seq: seq, time: time, envelopeContext: envelopeContext, kind: kind, value: value, at: start)
            guard length <= min(limit, line.count) else { return nil }
            line.copyMemory(from: UnsafeRawBufferPointer(start: start, count: length))
            return length
        }
    }

    @inline(__always)
    private static func write(
        id: EventID, seq: Int64, time: EventTime, envelopeContext: EnvelopeContext, kind: EventKind,
        value: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer
    ) -> Int {
        var bytes = LineBytes(at: start)
        bytes.bytes(opening)
        bytes.id(id)
        envelopeContext.buffer.withUnsafeMutablePointerToHeader { bytes.bytes($0.pointee.install.afterID) }
        bytes.integer(seq)
        bytes.bytes(envelopeContext.afterSeq)
        bytes.seconds(microseconds: time.microseconds)
        bytes.bytes(kind.afterTime)
        bytes.bytes(value)
        bytes.bytes(closing)
        return bytes.count(from: start)
    }
}

extension SchemaVersion {
    /// Writes a schema such as `search/1-0-0` as one string. Versions with single digits, the usual case, allocate
    /// nothing.
    func write(after name: String, to json: inout JSONWriter) {
        let digits = 0..<10
        guard digits.contains(model), digits.contains(revision), digits.contains(addition) else {
            return json.string("\(name)/\(self)")
        }
        json.string(name, tail: 6) { tail in
            tail[0] = UInt8(ascii: "/")
            tail[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: model)
            tail[2] = UInt8(ascii: "-")
            tail[3] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: revision)
            tail[4] = UInt8(ascii: "-")
            tail[5] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: addition)
        }
    }
}
