extension EventTime {
    /// Reads seconds since 1970 with at most six decimals, or gives nil.
    package init?(secondsSince1970 text: String) {
        guard let time = Array(text.utf8).withUnsafeBufferPointer({ Self(secondsSince1970: $0) }) else { return nil }
        self = time
    }

    /// Reads seconds since 1970, at most twelve digits with at most six decimals, or gives nil.
    package init?(secondsSince1970 text: UnsafeBufferPointer<UInt8>) {
        var digits = DigitReader(text)
        let isNegative = digits.take("-")
        guard let seconds = digits.number(upToDigits: 12), let fraction = digits.millionths(), digits.isAtEnd
        else { return nil }
        let magnitude = seconds * 1_000_000 + fraction
        self.init(microseconds: isNegative ? -magnitude : magnitude)
    }
}
