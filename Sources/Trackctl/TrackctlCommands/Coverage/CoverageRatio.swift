internal import Foundation

/// How much of something was seen.
struct CoverageRatio: Hashable {
    var seen = 0
    var total = 0

    /// Rounded down to hundredths, so that only what is complete is 100.
    var percent: Double { total == 0 ? 100 : (Double(seen) * 10_000 / Double(total)).rounded(.down) / 100 }

    /// `93.7%`, rounded down.
    var text: String {
        let tenths = total == 0 ? 1000 : seen * 1000 / total
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Whether it is at least so many percent, exactly.
    func reaches(_ percent: Double) -> Bool { Double(seen) * 100 >= percent * Double(total) }

    static func + (left: Self, right: Self) -> Self {
        Self(seen: left.seen + right.seen, total: left.total + right.total)
    }
}
