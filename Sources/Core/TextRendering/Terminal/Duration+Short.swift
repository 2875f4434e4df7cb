extension Duration {
    /// `0 ms`, `1.25 ms`, `340 ms`, `12.5 s`, `7 h 5 min`: rounded for people.
    package var short: String {
        let seconds = self / .seconds(1)
        switch seconds {
        case ..<1: return "\((seconds * 1000).rounded(toDigits: 3)) ms"
        case ..<120: return "\(seconds.rounded(toDigits: 3)) s"
        default:
            let minutes = Int((seconds / 60).rounded())
            return minutes < 120 ? "\(minutes) min" : "\((minutes / 60).grouped) h \(minutes % 60) min"
        }
    }

    /// An approximate age, `40 s`, `7 min`, `5 h`, `2,973 days`: in the largest unit with a value of at least two.
    package var rough: String {
        let seconds = components.seconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\((seconds / 86_400).grouped) days"
        }
    }
}

extension Double {
    /// The number with this many significant digits, without trailing zeros: `1.25`, `340`.
    fileprivate func rounded(toDigits digits: Int) -> String {
        var locations = digits
        var rest = magnitude
        while rest >= 1, locations > 0 {
            locations -= 1
            rest /= 10
        }
        var scale = 1.0
        for _ in 0..<locations { scale *= 10 }
        let value = (self * scale).rounded() / scale
        return value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
