internal import EventLog
internal import EventModel
internal import JSONSchema

extension JSONSpan {
    /// The time of a number of seconds since 1970; nil for anything else, and for what is past 64 bits of microseconds.
    ///
    /// Decimals are exact up to the sixth, and cut off behind it. A number with an exponent is taken for the nearest
    /// double.
    var time: EventTime? {
        guard kind == .number else { return nil }
        let point = content.firstIndex(of: UInt8(ascii: ".")) ?? content.endIndex
        let hasExponent = content.contains { $0 | 0x20 == UInt8(ascii: "e") }
        let exact = UnsafeBufferPointer(rebasing: content.prefix(point + 7))
        if !hasExponent, let time = EventTime(secondsSince1970: exact) { return time }
        guard let seconds = Double(String(decoding: content, as: UTF8.self)) else { return nil }
        return Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
    }

    /// The same, if RFC 3339 has a form for it.
    var datedTime: EventTime? { time.flatMap { $0.hasRFC3339 ? $0 : nil } }
}
