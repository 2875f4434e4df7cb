extension EventTime {
    /// The time in UTC with six decimals: `2018-09-12T11:54:07.351338Z`.
    package var rfc3339: String {
        var text: [UInt8] = []
        appendRFC3339(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether RFC 3339 has a form for the time: in the years 0000 to 9999.
    package var hasRFC3339: Bool {
        (-62_167_219_200_000_000...253_402_300_799_999_999).contains(microseconds)
    }

    /// Appends ``rfc3339`` as ASCII.
    package func appendRFC3339(to text: inout [UInt8]) {
        let (second, microsecond) = CalendarDate.floorDivide(microseconds, by: 1_000_000)
        let (day, secondOfDay) = CalendarDate.floorDivide(second, by: 86_400)
        let date = CalendarDate(days: day)
        Self.append(date.year, width: 4, then: "-", to: &text)
        Self.append(date.month, width: 2, then: "-", to: &text)
        Self.append(date.day, width: 2, then: "T", to: &text)
        Self.append(secondOfDay / 3600, width: 2, then: ":", to: &text)
        Self.append(secondOfDay / 60 % 60, width: 2, then: ":", to: &text)
        Self.append(secondOfDay % 60, width: 2, then: ".", to: &text)
        Self.append(microsecond, width: 6, then: "Z", to: &text)
    }

    /// Appends a number of at least `width` digits and what comes after it.
    private static func append(_ value: Int64, width: Int, then end: Unicode.Scalar, to text: inout [UInt8]) {
        if value < 0 { text.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var (digits, unit): (Int, UInt64) = (1, 1)
        while digits < width || rest / unit >= 10 {
            digits += 1
            unit *= 10
        }
        while unit > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
        text.append(UInt8(ascii: end))
    }

    /// Reads a date and time of RFC 3339 with at most six decimals, or gives nil.
    package init?(rfc3339 text: String) {
        guard let time = Array(text.utf8).withUnsafeBufferPointer({ Self(rfc3339: $0) }) else { return nil }
        self = time
    }

    /// Reads a date and time of RFC 3339 with at most six decimals, or gives nil.
    package init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
        var digits = DigitReader(text)
        guard let year = digits.number(ofDigits: 4), digits.take("-"), let month = digits.number(ofDigits: 2),
            digits.take("-"), let day = digits.number(ofDigits: 2),
            digits.take("T") || digits.take("t") || digits.take(" "),
            let hour = digits.number(ofDigits: 2), digits.take(":"), let minute = digits.number(ofDigits: 2),
            digits.take(":"), let second = digits.number(ofDigits: 2), let fraction = digits.millionths(),
            let offset = Self.secondsEast(&digits), digits.isAtEnd
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day)
        guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60,
            CalendarDate(days: date.days) == date  // not the 30th of February
        else { return nil }
        let seconds = date.days * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }

    /// How far ahead of UTC: `Z`, or `+02:00`.
    private static func secondsEast(_ digits: inout DigitReader) -> Int64? {
        if digits.take("Z") || digits.take("z") { return 0 }
        let isWest = digits.take("-")
        guard isWest || digits.take("+"), let hours = digits.number(ofDigits: 2), digits.take(":"),
            let minutes = digits.number(ofDigits: 2), hours < 24, minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
