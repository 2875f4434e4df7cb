/// Order statistics: the only kind that a noisy machine leaves alone.
struct Statistics {
    private let sorted: [Double]

    /// - Parameter samples: At least one.
    init(_ samples: [Double]) { sorted = samples.sorted() }

    var median: Double { quantile(0.5) }

    /// The value below which this share of the samples lies, between neighbours in proportion.
    func quantile(_ share: Double) -> Double {
        guard let last = sorted.indices.last else { return .nan }
        let location = share * Double(last)
        let below = Int(location)
        let above = min(below + 1, last)
        return sorted[below] + (sorted[above] - sorted[below]) * (location - Double(below))
    }
}
