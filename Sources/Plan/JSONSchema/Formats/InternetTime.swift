/// Dates and times of the internet (RFC 3339, section 5.6).
enum InternetTime {
    /// `date-time`: a full date, `T`, and a full time.
    static func isDateTime(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 20, text[10] | 0x20 == UInt8(ascii: "t") else { return false }
        return startsWithDate(text) && endsWithTime(text, 11)
    }

    /// `full-date`.
    static func isDate(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.count == 10 && startsWithDate(text) }

    /// `full-time`.
    static func isTime(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.count >= 9 && endsWithTime(text, 0) }

    /// Whether the first ten bytes are a date.
    @inline(__always)
    private static func startsWithDate(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // `YYYY-MM-`: hyphens at 4 and 7.
        let digits = text.word(at: 0) ^ 0x2D30_302D_3030_3030
        guard faults(digits, digitsAdd: 0x7F76_767F_7676_7676) == 0 else { return false }
        let tens = text[8] &- UInt8(ascii: "0")
        let ones = text[9] &- UInt8(ascii: "0")
        guard tens <= 3, ones <= 9 else { return false }
        let pairs = pairs(digits)
        let month = Int(pairs >> 40 & 0xFF)
        let day = Int(tens &* 10 &+ ones)
        guard month &- 1 < 12, month > 0, day > 0 else { return false }
        if day <= 28 { return true }
        // Two bits for each month: how many days it has past 28; February is the pair at 4.
        let more = 0b11_10_11_10_11_11_10_11_10_11_00_11_00 >> (2 &* month) & 3
        if day <= 28 &+ more { return true }
        return month == 2 && day == 29 && isLeap(century: Int(pairs & 0xFF), year: Int(pairs >> 16 & 0xFF))
    }

    /// Whether the bytes from `start` on are a time with an offset; at least nine are there.
    @inline(__always)
    private static func endsWithTime(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        // `HH:MM:SS`: colons at 2 and 5.
        let digits = text.word(at: start) ^ 0x3030_3A30_303A_3030
        guard faults(digits, digitsAdd: 0x7676_7F76_767F_7676) == 0 else { return false }
        let pairs = pairs(digits)
        let hour = Int(pairs & 0xFF)
        let minute = Int(pairs >> 24 & 0xFF)
        let second = Int(pairs >> 48 & 0xFF)
        guard hour <= 23, minute <= 59, second <= 60 else { return false }
        var place = start &+ 8
        if text[place] == UInt8(ascii: ".") {
            let first = place &+ 1
            place = first
            while place < text.count, ASCII.isDigit(text[place]) { place &+= 1 }
            guard place > first, place < text.count else { return false }
        }
        var offset = 0
        if text[place] | 0x20 == UInt8(ascii: "z") {
            guard place &+ 1 == text.count else { return false }
        } else {
            guard let minutes = minutesOfOffset(text, place) else { return false }
            offset = minutes
        }
        // The leap second is the last of a day of UTC.
        return second < 60 || (hour &* 60 &+ minute &- offset &+ 2880) % 1440 == 1439
    }

    /// The minutes that `+01:30` or `-01:30` at the end says.
    @inline(__always)
    private static func minutesOfOffset(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
        guard text.count &- place == 6, text[place &+ 3] == UInt8(ascii: ":") else { return nil }
        let hour = pair(text, place &+ 1)
        let minute = pair(text, place &+ 4)
        guard hour <= 23, minute <= 59 else { return nil }
        switch text[place] {
        case UInt8(ascii: "+"): return hour &* 60 &+ minute
        case UInt8(ascii: "-"): return -(hour &* 60 &+ minute)
        default: return nil
        }
    }

    /// The number of two digits, or 100 and more.
    @inline(__always)
    private static func pair(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        let tens = text[place] &- UInt8(ascii: "0")
        let ones = text[place &+ 1] &- UInt8(ascii: "0")
        return tens <= 9 && ones <= 9 ? Int(tens &* 10 &+ ones) : 100
    }

    /// Sets the highest bit of bytes that are out of their range: what is added carries past it.
    @inline(__always)
    private static func faults(_ digits: UInt64, digitsAdd: UInt64) -> UInt64 {
        ((digits &+ digitsAdd) | digits) & 0x8080_8080_8080_8080
    }

    /// Makes of every byte the number of two digits that starts there.
    @inline(__always)
    private static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }

    @inline(__always)
    private static func isLeap(century: Int, year: Int) -> Bool { (year == 0 ? century : year) & 3 == 0 }
}

/// Durations of ISO 8601 as RFC 3339, appendix A, spells them out.
///
/// Units follow each other without a gap, the largest first: `P1Y2M`, `PT1H30M`, and not `P1Y2D`. Weeks stand alone.
enum Duration8601 {
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 3, text[0] == UInt8(ascii: "P") else { return false }
        var place = 1
        if text[1] != UInt8(ascii: "T") {
            guard let unit = number(text, &place) else { return false }
            switch unit {
            case UInt8(ascii: "W"): return place == text.count
            case UInt8(ascii: "Y"): guard follow(text, &place, "M", "D") else { return false }
            case UInt8(ascii: "M"): guard follow(text, &place, "D", nil) else { return false }
            case UInt8(ascii: "D"): break
            default: return false
            }
            if place == text.count { return true }
        }
        guard text[place] == UInt8(ascii: "T") else { return false }
        place += 1
        switch number(text, &place) {
        case UInt8(ascii: "H"): guard follow(text, &place, "M", "S") else { return false }
        case UInt8(ascii: "M"): guard follow(text, &place, "S", nil) else { return false }
        case UInt8(ascii: "S"): break
        default: return false
        }
        return place == text.count
    }

    /// Passes the units that may come next, the second only after the first; false if another one is there.
    private static func follow(
        _ text: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ first: Unicode.Scalar, _ second: Unicode.Scalar?
    ) -> Bool {
        guard place < text.count, text[place] != UInt8(ascii: "T") else { return true }
        guard number(text, &place) == UInt8(ascii: first) else { return false }
        guard let second else { return true }
        return follow(text, &place, second, nil)
    }

    /// Passes digits and a unit; nil if there are none.
    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt8? {
        let start = place
        while place < text.count, ASCII.isDigit(text[place]) { place += 1 }
        guard place > start, place < text.count else { return nil }
        place += 1
        return text[place - 1]
    }
}
