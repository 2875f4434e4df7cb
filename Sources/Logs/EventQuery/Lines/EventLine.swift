package import EventModel
internal import Foundation

/// The locations of members in an event's line. The caller owns the line's memory and must keep it alive.
///
/// Contains only the members that the ``EventLineScanner`` was asked for.
package struct EventLine {
    /// The range of a value: for a text, without the quotes and with escapes.
    package struct Location {
        var start: Int32 = -1
        var end: Int32 = -1

        /// Whether the line has the value.
        @inline(__always)
        package var isThere: Bool { start >= 0 }
    }

    /// The line, without the line feed.
    package let bytes: UnsafeRawBufferPointer
    package internal(set) var id = Location()
    package internal(set) var installID = Location()
    package internal(set) var sessionID = Location()
    package internal(set) var userID = Location()
    package internal(set) var schema = Location()
    package internal(set) var name = Location()
    /// The digits of the number.
    var seqLocation = Location()
    /// The digits of the number.
    var timeLocation = Location()
    /// The offset of the event object.
    package internal(set) var event = 0

    /// Creates a line without scanning it. Values can be found by their paths.
    package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The bytes of a text, with escapes; empty if it is missing.
    @inline(__always)
    package func raw(_ location: Location) -> UnsafeRawBufferPointer {
        guard location.isThere else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[Int(location.start)..<Int(location.end)])
    }

    /// A text with escapes resolved; nil if it is missing or not valid UTF-8.
    package func text(_ location: Location) -> String? {
        guard location.isThere else { return nil }
        return JSONText.text(raw(location))
    }

    /// Resolves the escapes of a JSON text; nil if they are invalid, or the text is not valid UTF-8.
    package static func text(_ escaped: [UInt8]) -> String? { escaped.withUnsafeBytes { JSONText.text($0) } }

    /// Whether a text with resolved escapes matches.
    @inline(__always)
    package func matches(_ location: Location, _ text: TextMatcher) -> Bool {
        guard location.isThere else { return false }
        return text.matches(escaped: raw(location))
    }

    /// The number within the install; nil if it is missing or not in 1..<2^53.
    package var seq: Int64? {
        guard seqLocation.isThere, let seq = JSONNumber.integer(raw(seqLocation)), 1...EventRecord.highestSeq ~= seq
        else {
            return nil
        }
        return seq
    }

    /// The time of the event; nil if it is missing or does not fit 64-bit microseconds.
    package var time: EventTime? {
        guard timeLocation.isThere else { return nil }
        return JSONNumber.microseconds(raw(timeLocation)).map { EventTime(microseconds: $0) }
    }
}
