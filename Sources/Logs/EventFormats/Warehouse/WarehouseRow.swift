package import EventModel
internal import JSONLines
internal import JSONSchema

/// Writes rows of a warehouse: one JSON object per event, each followed by a line feed.
///
/// | column | source |
/// |---|---|
/// | `id`, `session_id`, `user_id`, `schema` | the members of the line |
/// | `install_id`, `seq` | the install, and the event's number in it |
/// | `fork` | empty; for another line under a known number, the id of the fork |
/// | `event` | the event's name |
/// | `time` | the device's time |
/// | `corrected_time` | `time` without the error of the device's clock: plus receipt time minus send time |
/// | `received_at` | when the collector received the batch |
/// | `context`, `properties` | `context` and the event's value, as objects; empty objects if the line has none |
/// | `validated` | whether a schema validated the line |
/// | `collector`, `batch`, `block` | where the line came from |
/// | `line` | the exact line, from which hashes are computed |
///
/// Times are text in UTC, `2015-01-01 00:00:00.123456`, from 1970 to 2299: the range of ClickHouse's DateTime64. Times
/// beyond it become its first or last time; `line` has the exact number. The rows of a block are the same bytes whenever
/// they are written.
package struct WarehouseRowWriter: Sendable {
    /// What a row has besides its line.
    package struct Arrival: Sendable {
        package var fork = ""
        package var receivedAt: EventTime
        /// ``receivedAt`` minus the client's send time, in microseconds; 0 if unknown.
        package var clockError: Int64
        package var collector: String
        package var batch: String
        package var block: String
        package var isValidated = true

        package init(
            receivedAt: EventTime, sentAt: EventTime?, collector: String, batch: String, block: String
        ) {
            self.receivedAt = receivedAt
            clockError =
                sentAt.map { receivedAt.microseconds.subtractingReportingOverflow($0.microseconds).partialValue }
                ?? 0
            self.collector = collector
            self.batch = batch
            self.block = block
        }
    }

    private var reader = LineReader()

    package init() {}

    /// Appends the row of a line. A line that is no event gets a row with its number and its bytes.
    ///
    /// - Parameter seq: The line's number.
    package mutating func append(
        _ line: UnsafeRawBufferPointer, installID: String, seq: Int64, _ arrival: Arrival, into rows: inout [UInt8]
    ) {
        do {
            try reader.read(line) { span in
                Self.write(
                    line, members: ContainerMembers(span), installID: installID, seq: seq, arrival: arrival, to: &rows)
            }
        } catch {
            Self.write(line, members: nil, installID: installID, seq: seq, arrival: arrival, to: &rows)
        }
    }

    private static func write(
        _ line: UnsafeRawBufferPointer, members: ContainerMembers?, installID: String, seq: Int64,
        arrival: Arrival, to rows: inout [UInt8]
    ) {
        var json = JSONWriter(capacity: 2 * line.count + 512)
        json.beginObject()
        json.key(EnvelopeMember.installID.name)
        json.string(installID)
        json.key("seq")
        json.integer(seq)
        json.key("fork")
        json.string(arrival.fork)
        json.key("id")
        json.text(members?.id)
        json.key("event")
        json.text(members?.name)
        json.key("schema")
        json.text(members?.schema)
        json.key("user_id")
        json.text(members?.userID)
        json.key("session_id")
        json.text(members?.sessionID)
        let time = members?.time?.time ?? EventTime(microseconds: 0)
        json.key("time")
        json.time(time.microseconds)
        json.key("corrected_time")
        let (corrected, overflows) = time.microseconds.addingReportingOverflow(arrival.clockError)
        json.time(overflows ? time.microseconds : corrected)
        json.key("received_at")
        json.time(arrival.receivedAt.microseconds)
        json.key("context")
        json.object(members?.context)
        json.key("properties")
        json.object(members?.value)
        json.key("validated")
        json.bool(arrival.isValidated)
        json.key("collector")
        json.string(arrival.collector)
        json.key("batch")
        json.string(arrival.batch)
        json.key("block")
        json.string(arrival.block)
        json.key("line")
        json.string(utf8: line)
        json.endObject()
        json.withUnsafeBytes { rows.append(contentsOf: $0) }
        rows.append(UInt8(ascii: "\n"))
    }
}

/// The times that a row can have, in microseconds since 1970.
package enum WarehouseTime {
    /// 2299-12-31 23:59:59.999999.
    static let last: Int64 = 10_413_791_999_999_999

    /// The text of a time in a row.
    package static func text(_ microseconds: Int64) -> String {
        var text: [UInt8] = []
        EventTime(microseconds: min(max(0, microseconds), last)).appendRFC3339(to: &text)
        text[10] = UInt8(ascii: " ")
        text.removeLast()
        return String(decoding: text, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes the text of a string, or an empty string for other values.
    fileprivate mutating func text(_ span: JSONSpan?) {
        guard let span, span.kind == .string else { return string("") }
        // The escapes are the writer's own, so that equal texts are equal bytes.
        var copy: [UInt8] = []
        span.withText { copy.append(contentsOf: $0) }
        copy.withUnsafeBytes { string(utf8: $0) }
    }

    fileprivate mutating func object(_ span: JSONSpan?) {
        guard let span, span.kind == .object else {
            beginObject()
            return endObject()
        }
        value(span)
    }

    fileprivate mutating func time(_ microseconds: Int64) { string(WarehouseTime.text(microseconds)) }
}
