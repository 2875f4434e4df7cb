/// Scans dates and times of RFC 3339, section 5.6, for `EventTime` and for the formats of JSON Schema. Processes eight
/// bytes at a time, since a validator scans a time in each line.
package enum InternetTime {
    /// `full-date`: a day that exists in the calendar.
    package struct Day: Equatable {
        /// The year, 0 to 9999.
        package let year: Int
        /// The month, from 1.
        package let month: Int
        /// The day, from 1.
        package let day: Int

        @inlinable
        package init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    /// `full-time`: a time of day with its offset from UTC.
    package struct TimeOfDay: Equatable {
        /// The hour, 0 to 23.
        package let hour: Int
        /// The minute, 0 to 59.
        package let minute: Int
        /// The second, 0 to 60; 60 is valid only if ``isLeapSecondPossible`` is true.
        package let second: Int
        /// The range of the second's decimals in the text; empty without decimals.
        package let decimals: Range<Int>
        /// The minutes ahead of UTC.
        package let minutesEast: Int

        @inlinable
        package init(hour: Int, minute: Int, second: Int, decimals: Range<Int>, minutesEast: Int) {
            self.hour = hour
            self.minute = minute
            self.second = second
            self.decimals = decimals
            self.minutesEast = minutesEast
        }

        /// Whether the minute is the last of a UTC day, to which leap seconds are added.
        @inlinable
        package var isLeapSecondPossible: Bool { (hour &* 60 &+ minute &- minutesEast &+ 2880) % 1440 == 1439 }
    }

    /// Parses the first ten bytes as a day; nil if they are not a day.
    @inlinable
    @inline(__always)
    package static func day(_ text: UnsafeBufferPointer<UInt8>) -> Day? {
        guard text.count >= 10 else { return nil }
        // `YYYY-MM-`: hyphens at 4 and 7.
        let digits = word(text, 0) ^ 0x2D30_302D_3030_3030
        guard issues(digits, digitsAdd: 0x7F76_767F_7676_7676) == 0 else { return nil }
        let tens = text[8] &- UInt8(ascii: "0")
        let ones = text[9] &- UInt8(ascii: "0")
        guard tens <= 3, ones <= 9 else { return nil }
        let pairs = pairs(digits)
        let century = Int(pairs & 0xFF)
        let yearOfCentury = Int(pairs >> 16 & 0xFF)
        let month = Int(pairs >> 40 & 0xFF)
        let day = Int(tens &* 10 &+ ones)
        guard month &- 1 < 12, month > 0, day > 0 else { return nil }
        // Two bits per month: the number of days beyond 28. February is the pair at 4.
        let more = 0b11_10_11_10_11_11_10_11_10_11_00_11_00 >> (2 &* month) & 3
        guard day <= 28 &+ more || (month == 2 && day == 29 && isLeap(century: century, year: yearOfCentury)) else {
            return nil
        }
        return Day(year: century &* 100 &+ yearOfCentury, month: month, day: day)
    }

    /// Parses the bytes from `start` to the end as a time of day; nil if they are not.
    @inlinable
    @inline(__always)
    package static func timeOfDay(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> TimeOfDay? {
        guard text.count &- start >= 9 else { return nil }
        // `HH:MM:SS`: colons at 2 and 5.
        let digits = word(text, start) ^ 0x3030_3A30_303A_3030
        guard issues(digits, digitsAdd: 0x7676_7F76_767F_7676) == 0 else { return nil }
        let pairs = pairs(digits)
        let hour = Int(pairs & 0xFF)
        let minute = Int(pairs >> 24 & 0xFF)
        let second = Int(pairs >> 48 & 0xFF)
        guard hour <= 23, minute <= 59, second <= 60 else { return nil }
        var location = start &+ 8
        var decimals = location..<location
        if text[location] == UInt8(ascii: ".") {
            let first = location &+ 1
            location = first
            while location < text.count, text[location] &- UInt8(ascii: "0") < 10 { location &+= 1 }
            guard location > first, location < text.count else { return nil }
            decimals = first..<location
        }
        var minutesEast = 0
        if text[location] | 0x20 == UInt8(ascii: "z") {
            guard location &+ 1 == text.count else { return nil }
        } else {
            guard let minutes = minutesOfOffset(text, location) else { return nil }
            minutesEast = minutes
        }
        return TimeOfDay(
            hour: hour, minute: minute, second: second, decimals: decimals, minutesEast: minutesEast)
    }

    /// The minutes of `+01:30` or `-01:30` at the end.
    @inlinable
    @inline(__always)
    package static func minutesOfOffset(_ text: UnsafeBufferPointer<UInt8>, _ location: Int) -> Int? {
        guard text.count &- location == 6, text[location &+ 3] == UInt8(ascii: ":") else { return nil }
        let hour = pair(text, location &+ 1)
        let minute = pair(text, location &+ 4)
        guard hour <= 23, minute <= 59 else { return nil }
        switch text[location] {
        case UInt8(ascii: "+"): return hour &* 60 &+ minute
        case UInt8(ascii: "-"): return -(hour &* 60 &+ minute)
        default: return nil
        }
    }

    /// The number of two digits, or 100 or more if they are invalid.
    @inlinable
    @inline(__always)
    package static func pair(_ text: UnsafeBufferPointer<UInt8>, _ location: Int) -> Int {
        let tens = text[location] &- UInt8(ascii: "0")
        let ones = text[location &+ 1] &- UInt8(ascii: "0")
        return tens <= 9 && ones <= 9 ? Int(tens &* 10 &+ ones) : 100
    }

    /// The eight bytes at an offset, the first in the lowest byte. The caller has checked the range.
    @inlinable
    @inline(__always)
    package static func word(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped).loadUnaligned(
                fromByteOffset: offset, as: UInt64.self))
    }

    /// Sets the highest bit of bytes that are out of their range: the addition overflows into it.
    @inlinable
    @inline(__always)
    package static func issues(_ digits: UInt64, digitsAdd: UInt64) -> UInt64 {
        ((digits &+ digitsAdd) | digits) & 0x8080_8080_8080_8080
    }

    /// Replaces every byte with the two-digit number that starts there.
    @inlinable
    @inline(__always)
    package static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }

    @inlinable
    @inline(__always)
    package static func isLeap(century: Int, year: Int) -> Bool { (year == 0 ? century : year) & 3 == 0 }
}
