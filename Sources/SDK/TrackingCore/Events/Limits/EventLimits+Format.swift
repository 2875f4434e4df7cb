// The formats of strings, as JSON Schema validators check them.

extension EventLimits {
    /// `format: uuid` (RFC 4122): 36 characters, hexadecimal digits of either case and hyphens.
    public static func uuid(_ text: String, _ property: StaticString) throws(TrackingEventError) {
        var position = 0
        var isValid = true
        for byte in text.utf8 {
            switch position {
            case 8, 13, 18, 23: isValid = isValid && byte == UInt8(ascii: "-")
            default: isValid = isValid && isHexDigit(byte)
            }
            position += 1
        }
        guard isValid, position == 36 else { throw error(property, keyword: "format", limit: "uuid") }
    }

    /// `format: date` (RFC 3339): `2018-09-12`. The day must exist.
    public static func date(_ text: String, _ property: StaticString) throws(TrackingEventError) {
        var rest = Substring(text).utf8
        guard takeDate(&rest), rest.isEmpty else { throw error(property, keyword: "format", limit: "date") }
    }

    /// `format: date-time` (RFC 3339): `2018-09-12T11:54:07.351Z`. Second 60 is valid at 23:59 UTC only.
    public static func dateTime(_ text: String, _ property: StaticString) throws(TrackingEventError) {
        var rest = Substring(text).utf8
        guard takeDate(&rest), let separator = rest.popFirst(), separator | 0x20 == UInt8(ascii: "t"),
            takeTime(&rest), rest.isEmpty
        else { throw error(property, keyword: "format", limit: "date-time") }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Consumes a number with exactly `digits` digits.
    private static func consume(_ digits: Int, _ text: inout Substring.UTF8View) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = text.popFirst(), case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func consume(_ character: UInt8, _ text: inout Substring.UTF8View) -> Bool {
        guard text.first == character else { return false }
        text.removeFirst()
        return true
    }

    private static func takeDate(_ text: inout Substring.UTF8View) -> Bool {
        guard let year = consume(4, &text), consume(UInt8(ascii: "-"), &text), let month = consume(2, &text),
            consume(UInt8(ascii: "-"), &text), let day = consume(2, &text), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days =
            switch month {
            case 2: isLeap ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        return (1...days).contains(day)
    }

    private static func takeTime(_ text: inout Substring.UTF8View) -> Bool {
        guard let hour = consume(2, &text), consume(UInt8(ascii: ":"), &text), let minute = consume(2, &text),
            consume(UInt8(ascii: ":"), &text), let second = consume(2, &text), hour < 24, minute < 60, second <= 60
        else { return false }
        if consume(UInt8(ascii: "."), &text) {
            guard consume(1, &text) != nil else { return false }
            while let byte = text.first, case UInt8(ascii: "0")...UInt8(ascii: "9") = byte { text.removeFirst() }
        }
        guard let zone = text.popFirst() else { return false }
        var offset = 0
        switch zone {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard let hours = consume(2, &text), consume(UInt8(ascii: ":"), &text), let minutes = consume(2, &text),
                hours < 24,
                minutes < 60
            else { return false }
            offset = (hours * 60 + minutes) * (zone == UInt8(ascii: "+") ? 1 : -1)
        default: return false
        }
        // A leap second is the last second of a day, in UTC.
        return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 == 1439
    }
}
