package import EventModel
internal import Foundation

/// Where the members of an event's line stand, which lies in memory that somebody else owns: good as long as that is.
///
/// Only what ``EventLineScanner`` was asked for is known; the rest of the line was not looked at.
package struct EventLine {
    /// The bytes of a value: of a text without its quotes, with its escapes.
    package struct Location {
        var start: Int32 = -1
        var end: Int32 = -1

        /// Whether the line has such a value.
        @inline(__always)
        package var isThere: Bool { start >= 0 }

        /// How many bytes it has.
        @inline(__always)
        var count: Int { Int(end) - Int(start) }
    }

    /// The line, without the line feed.
    package let bytes: UnsafeRawBufferPointer
    package internal(set) var id = Location()
    package internal(set) var installID = Location()
    package internal(set) var sessionID = Location()
    package internal(set) var userID = Location()
    package internal(set) var schema = Location()
    /// The event's name.
    package internal(set) var name = Location()
    /// A number's digits.
    var seqLocation = Location()
    /// A number's digits.
    var timeLocation = Location()
    /// Where the object of the event begins.
    package internal(set) var event = 0

    /// Makes one of any JSON object, in which nothing was looked for: its values are found by their paths.
    package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The bytes of a text, with its escapes; empty for what isn't there.
    @inline(__always)
    package func raw(_ location: Location) -> UnsafeRawBufferPointer {
        guard location.isThere else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[Int(location.start)..<Int(location.end)])
    }

    /// A text, its escapes resolved; nil for what isn't there or isn't UTF-8.
    package func text(_ location: Location) -> String? {
        guard location.isThere else { return nil }
        return JSONText.text(raw(location))
    }

    /// The bytes of a text of JSON as text, its escapes resolved; nil if they are wrong, or not UTF-8.
    package static func text(_ escaped: [UInt8]) -> String? { escaped.withUnsafeBytes { JSONText.text($0) } }

    /// Whether a text is this one, its escapes resolved.
    @inline(__always)
    package func matches(_ location: Location, _ text: TextMatcher) -> Bool {
        guard location.isThere else { return false }
        return text.matches(escaped: raw(location))
    }

    /// The number within the install; nil for a line without, or with one that no log gives: from 1, below 2^53.
    package var seq: Int64? {
        guard seqLocation.isThere, let seq = JSONNumber.integer(raw(seqLocation)), 1...EventRecord.highestSeq ~= seq
        else {
            return nil
        }
        return seq
    }

    /// When the event was sent; nil for a line without, or with none that microseconds hold.
    package var time: EventTime? {
        guard timeLocation.isThere else { return nil }
        return JSONNumber.microseconds(raw(timeLocation)).map { EventTime(microseconds: $0) }
    }
}
