internal import EventLog
internal import EventModel
internal import Foundation
package import JSONLines

/// An event that was refused, as a line of a file of dead letters.
///
/// ```
/// {"line":"{…}","reason":"…","status":400,"attempts":1,"batch":"9f86…","time":1536753247.351338}
/// ```
///
/// A line that is not UTF-8 stands as `line_base64`.
package enum DeadLetter {
    static func write(
        _ line: ArraySlice<UInt8>, reason: SinkReason, attempts: Int, batch: String, time: EventTime
    ) -> [UInt8] {
        var json = JSONWriter(capacity: line.count + line.count / 8 + 256)
        json.beginObject()
        if let text = String(validating: line, as: UTF8.self) {
            json.key("line")
            json.string(text)
        } else {
            json.key("line_base64")
            json.string(Data(line).base64EncodedString())
        }
        json.key("reason")
        json.string(reason.text)
        if let status = reason.status {
            json.key("status")
            json.integer(status)
        }
        json.key("attempts")
        json.integer(attempts)
        json.key("batch")
        json.string(batch)
        json.key("time")
        json.seconds(microseconds: time.microseconds)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The exact bytes of the event's line.
    ///
    /// - Throws: `JSONSyntaxError` for what is no dead letter.
    package static func line(of letter: some Sequence<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        let json = try JSONParser.parse(letter)
        if let line = json["line"]?.stringValue { return Array(line.utf8) }
        if let line = json["line_base64"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) { return [UInt8](line) }
        throw JSONSyntaxError(offset: 0, reason: "not a dead letter: 'line' is missing or of the wrong type")
    }
}
