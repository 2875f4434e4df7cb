package import Primitives

/// The formats of RFC 3339, section 5.6.
extension InternetTime {
    /// Returns whether a text is a `date-time`: a full date, `T`, and a full time.
    static func isDateTime(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 20, text[10] | 0x20 == UInt8(ascii: "t"), day(text) != nil else { return false }
        return endsWithTime(text, 11)
    }

    /// Returns whether a text is a `full-date`.
    static func isDate(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.count == 10 && day(text) != nil }

    /// Returns whether a string is a `full-date`.
    package static func isDate(_ text: String) -> Bool { Array(text.utf8).withUnsafeBufferPointer { isDate($0) } }

    /// Returns whether a text is a `full-time`.
    static func isTime(_ text: UnsafeBufferPointer<UInt8>) -> Bool { endsWithTime(text, 0) }

    @inline(__always)
    private static func endsWithTime(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        guard let time = timeOfDay(text, from: start) else { return false }
        return time.second < 60 || time.isLeapSecondPossible
    }
}

/// Durations of ISO 8601, as specified in RFC 3339, appendix A.
///
/// Units are consecutive, the largest first: `P1Y2M`, `PT1H30M`, but not `P1Y2D`. Weeks cannot be combined with other
/// units.
enum Duration8601 {
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 3, text[0] == UInt8(ascii: "P") else { return false }
        var location = 1
        if text[1] != UInt8(ascii: "T") {
            guard let unit = number(text, &location) else { return false }
            switch unit {
            case UInt8(ascii: "W"): return location == text.count
            case UInt8(ascii: "Y"): guard follow(text, at: &location, "M", then: "D") else { return false }
            case UInt8(ascii: "M"): guard follow(text, at: &location, "D", then: nil) else { return false }
            case UInt8(ascii: "D"): break
            default: return false
            }
            if location == text.count { return true }
        }
        guard text[location] == UInt8(ascii: "T") else { return false }
        location += 1
        switch number(text, &location) {
        case UInt8(ascii: "H"): guard follow(text, at: &location, "M", then: "S") else { return false }
        case UInt8(ascii: "M"): guard follow(text, at: &location, "S", then: nil) else { return false }
        case UInt8(ascii: "S"): break
        default: return false
        }
        return location == text.count
    }

    /// Skips the units that may follow, the second one only after the first; returns false for any other unit.
    private static func follow(
        _ text: UnsafeBufferPointer<UInt8>, at location: inout Int, _ first: Unicode.Scalar,
        then second: Unicode.Scalar?
    ) -> Bool {
        guard location < text.count, text[location] != UInt8(ascii: "T") else { return true }
        guard number(text, &location) == UInt8(ascii: first) else { return false }
        guard let second else { return true }
        return follow(text, at: &location, second, then: nil)
    }

    /// Skips digits and a unit; returns nil if there are none.
    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ location: inout Int) -> UInt8? {
        let start = location
        while location < text.count, ASCII.isDigit(text[location]) { location += 1 }
        guard location > start, location < text.count else { return nil }
        location += 1
        return text[location - 1]
    }
}
