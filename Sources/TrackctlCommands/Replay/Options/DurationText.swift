internal import ArgumentParser

/// Durations as people type them.
enum DurationText {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]

    /// Reads `500ms`, `1.5s`, `5m`, `2h` or `1d`.
    ///
    /// - Throws: `ValidationError`.
    @Sendable
    static func duration(_ text: String) throws -> Duration {
        for (name, seconds) in units where text.hasSuffix(name) {
            guard let number = number(text.dropLast(name.count)), number * seconds < 1e9 else { continue }
            return .seconds(number * seconds)
        }
        throw ValidationError("write a duration like 500ms, 1.5s, 5m or 2h")
    }

    /// A decimal number without sign and exponent; nil for anything else.
    static func number(_ text: some StringProtocol) -> Double? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return nil }
        return Double(text)
    }
}

extension Duration {
    /// `0 ms`, `1.25 ms`, `340 ms`, `12.5 s`, `7 h 5 min`: as precise as a person needs.
    var short: String {
        let seconds = self / .seconds(1)
        switch seconds {
        case ..<1: return "\((seconds * 1000).rounded(toDigits: 3)) ms"
        case ..<120: return "\(seconds.rounded(toDigits: 3)) s"
        default:
            let minutes = Int((seconds / 60).rounded())
            return minutes < 120 ? "\(minutes) min" : "\((minutes / 60).grouped) h \(minutes % 60) min"
        }
    }
}

extension Double {
    /// The number with so many digits that count, without trailing zeros: `1.25`, `340`.
    fileprivate func rounded(toDigits digits: Int) -> String {
        var places = digits
        var rest = magnitude
        while rest >= 1, places > 0 {
            places -= 1
            rest /= 10
        }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let value = (self * scale).rounded() / scale
        return value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
