internal import ArgumentParser

/// Parses durations on the command line.
enum DurationText {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
        ("w", 604_800),
    ]

    /// Parses `500ms`, `1.5s`, `15m`, `12h`, `30d` or `4w`; less than 1e9 seconds (31 years).
    ///
    /// - Throws: `ValidationError`.
    @Sendable
    static func duration(_ text: String) throws -> Duration {
        for (name, seconds) in units where text.hasSuffix(name) {
            guard let number = number(text.dropLast(name.count)), number * seconds < 1e9 else { continue }
            return .seconds(number * seconds)
        }
        throw ValidationError("write a duration such as 500ms, 1.5s, 15m, 12h, 30d or 4w, less than 31 years")
    }

    /// A decimal number without sign and exponent; nil for anything else.
    static func number(_ text: some StringProtocol) -> Double? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return nil }
        return Double(text)
    }
}
