internal import EventModel
internal import JSONLines
internal import JSONSchema

/// Puts a line together again, from what another format kept of it.
///
/// The caller adds members in the order that the frozen format gives them (`TrackingContainer`).
struct LineBuilder: ~Copyable {
    private var json: JSONWriter

    /// Starts a line.
    ///
    /// - Parameter capacity: About as many bytes as it will have.
    init(capacity: Int) {
        json = JSONWriter(capacity: capacity)
        json.beginObject()
    }

    /// Adds a value as it is written, if there is one.
    mutating func member(_ name: EnvelopeMember, _ value: JSONSpan?) {
        guard let value else { return }
        json.key(name)
        json.value(value)
    }

    /// Adds a string.
    mutating func member(_ name: EnvelopeMember, text: String) {
        json.key(name)
        json.string(text)
    }

    /// Adds an integer of at most 18 digits that is kept as a string.
    ///
    /// - Throws: `JSONSyntaxError` if it is none.
    mutating func member(_ name: EnvelopeMember, digits: JSONSpan) throws {
        guard digits.kind == .string, (1...18).contains(digits.content.count),
            let number = Int64(String(decoding: digits.content, as: UTF8.self)), number >= 0
        else { throw digits.issue("expected an integer as a string") }
        json.key(name)
        json.integer(number)
    }

    /// Adds the time of a date and time of RFC 3339.
    ///
    /// - Throws: `JSONSyntaxError` if it is none.
    mutating func time(_ text: JSONSpan) throws {
        guard text.kind == .string, let time = text.withText({ EventTime(rfc3339: $0) }) else {
            throw text.issue("expected a date and time of RFC 3339 with at most six decimals")
        }
        json.key(.time)
        json.seconds(microseconds: time.microseconds)
    }

    /// Adds an object that is kept as a string of JSON.
    ///
    /// - Throws: `JSONSyntaxError` at the string if it is none.
    mutating func member(_ name: EnvelopeMember, json text: JSONSpan, with reader: inout LineReader) throws {
        json.key(name)
        do {
            try text.withText { bytes in
                try reader.read(UnsafeRawBufferPointer(bytes)) { json.value($0) }
            }
        } catch is JSONSyntaxError {
            throw text.issue("expected a string that holds a JSON object")
        }
    }

    /// Adds the event, and appends the whole line.
    ///
    /// - Parameters:
    ///   - name: A string as it is written.
    ///   - value: Nil if the event has none.
    consuming func finish(name: [UInt8], value: JSONSpan?, to line: inout [UInt8]) {
        json.key(.event)
        json.beginObject()
        json.key(.name)
        json.value(name)
        if let value {
            json.key(.value)
            json.value(value)
        }
        json.endObject()
        json.endObject()
        json.withUnsafeBytes { line.append(contentsOf: $0) }
    }

    /// Appends a line that another format carries whole.
    ///
    /// - Parameter location: Where it stands there.
    /// - Throws: `JSONSyntaxError` at that place if it is no line of an event.
    static func append(
        carried bytes: UnsafeRawBufferPointer, at location: JSONSpan, with reader: inout LineReader,
        to line: inout [UInt8]
    ) throws {
        do {
            try reader.read(bytes) { _ in }
        } catch is JSONSyntaxError {
            throw location.issue("what is carried here is no line of an event")
        }
        guard !bytes.contains(UInt8(ascii: "\n")) else {
            throw location.issue("what is carried here is more than one line")
        }
        line.append(contentsOf: bytes)
    }
}

/// The members of a line that converters know by name (the frozen format: `TrackingContainer`); nil where a line has
/// none.
struct ContainerMembers {
    let version, id, installID, seq, sessionID, userID, time, schema, context, origin: JSONSpan?
    /// Of the member `event`: its `name` and its `value`.
    let name, value: JSONSpan?

    init(_ line: JSONSpan) {
        version = line.member(.version)
        id = line.member(.id)
        installID = line.member(.installID)
        seq = line.member(.seq)
        sessionID = line.member(.sessionID)
        userID = line.member(.userID)
        time = line.member(.time)
        schema = line.member(.schema)
        context = line.member(.context)
        origin = line.member(.origin)
        let event = line.member(.event)
        name = event?.member(EnvelopeMember.Event.name.name)
        value = event?.member(EnvelopeMember.Event.value.name)
    }
}
