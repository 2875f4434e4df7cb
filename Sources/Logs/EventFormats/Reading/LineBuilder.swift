internal import EventModel
internal import JSONLines
internal import JSONSchema

/// Rebuilds a line from another format.
///
/// Add members in the order of the frozen format (`TrackingContainer`).
struct LineBuilder: ~Copyable {
    private var json: JSONWriter

    /// Starts a line.
    ///
    /// - Parameter capacity: The approximate length in bytes.
    init(capacity: Int) {
        json = JSONWriter(capacity: capacity)
        json.beginObject()
    }

    /// Adds a value unchanged, if it is not nil.
    mutating func member(_ name: EnvelopeMember, _ value: JSONSpan?) {
        guard let value else { return }
        json.key(name)
        json.value(value)
    }

    mutating func member(_ name: EnvelopeMember, text: String) {
        json.key(name)
        json.string(text)
    }

    /// Adds an integer of at most 18 digits from a string.
    ///
    /// - Throws: `JSONSyntaxError` if the string is not such an integer.
    mutating func member(_ name: EnvelopeMember, digits: JSONSpan) throws {
        guard digits.kind == .string, (1...18).contains(digits.content.count),
            let number = Int64(String(decoding: digits.content, as: UTF8.self)), number >= 0
        else { throw digits.issue("expected an integer as a string") }
        json.key(name)
        json.integer(number)
    }

    /// Adds a time from an RFC 3339 string.
    ///
    /// - Throws: `JSONSyntaxError` if the string is not such a time.
    mutating func time(_ text: JSONSpan) throws {
        guard text.kind == .string, let time = text.withText({ EventTime(rfc3339: $0) }) else {
            throw text.issue("expected an RFC 3339 date and time with at most six decimals")
        }
        json.key(.time)
        json.seconds(microseconds: time.microseconds)
    }

    /// Adds an object from a JSON string.
    ///
    /// - Throws: `JSONSyntaxError` at the string if it holds no object.
    mutating func member(_ name: EnvelopeMember, json text: JSONSpan, with reader: inout LineReader) throws {
        json.key(name)
        do {
            try text.withText { bytes in
                try reader.read(UnsafeRawBufferPointer(bytes)) { json.value($0) }
            }
        } catch is JSONSyntaxError {
            throw text.issue("expected a string with a JSON object")
        }
    }

    /// Adds the event, and appends the whole line.
    ///
    /// - Parameters:
    /// - name: A JSON string.
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

    /// Appends a line that another format embeds in full.
    ///
    /// - Parameter location: The value that contains the line.
    /// - Throws: `JSONSyntaxError` at that value if it is not the line of an event.
    static func append(
        carried bytes: UnsafeRawBufferPointer, at location: JSONSpan, with reader: inout LineReader,
        to line: inout [UInt8]
    ) throws {
        do {
            try reader.read(bytes) { _ in }
        } catch is JSONSyntaxError {
            throw location.issue("the embedded value is not the line of an event")
        }
        guard !bytes.contains(UInt8(ascii: "\n")) else {
            throw location.issue("the embedded value has more than one line")
        }
        line.append(contentsOf: bytes)
    }
}

/// The members of a line that converters use (see `TrackingContainer`); nil if the line lacks them.
struct ContainerMembers {
    let version, id, installID, seq, sessionID, userID, time, schema, context, origin: JSONSpan?
    /// The members `name` and `value` of `event`.
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
