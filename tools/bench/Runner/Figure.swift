/// One line of a report.
struct Figure: Sendable {
    /// What a figure must reach.
    enum Bar: Sendable {
        case atLeast(Double)
        case atMost(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bar): value >= bar
            case .atMost(let bar): value <= bar
            }
        }
    }

    /// What was measured, such as `search`.
    let name: String
    /// The median of the subject and of the baseline, with their unit; nil if there is nothing to compare.
    let medians: (subject: Double, baseline: Double, unit: String)?
    /// What the bar speaks of: the median of the rounds' ratios, or a count.
    let value: Double
    /// Why there is no value; then no bar is missed.
    private(set) var missing: String?
    /// Between these lie eight of ten rounds.
    let spread: ClosedRange<Double>?
    let bar: Bar?
    /// Whether it only shows that the measurement is one: no event was dropped, a planted fault was seen.
    let isCheck: Bool

    var isMet: Bool { missing != nil || bar?.isMet(by: value) ?? true }

    /// A comparison of which each round gives one ratio.
    init(name: String, rounds: Rounds, unit: String = "ns", ratio: Rounds.Ratio, bar: Bar?) {
        let ratios = Statistics(rounds.ratios(ratio))
        isCheck = false
        self.name = name
        medians = (Statistics(rounds.subject).median, Statistics(rounds.baseline).median, unit)
        value = ratios.median
        spread = ratios.quantile(0.1)...ratios.quantile(0.9)
        self.bar = bar
    }

    /// A measure without a baseline.
    init(name: String, value: Double, bar: Bar?) {
        isCheck = false
        self.name = name
        medians = nil
        self.value = value
        spread = nil
        self.bar = bar
    }

    /// A measure that not every machine gives.
    ///
    /// - Parameter missing: The text for nil.
    init(name: String, value: Double?, unless missing: String, bar: Bar?) {
        self.init(name: name, value: value ?? .nan, bar: bar)
        if value == nil { self.missing = missing }
    }

    /// A count, which is the same in each run.
    init(name: String, count: Int64, bar: Bar?, isCheck: Bool = false) {
        self.isCheck = isCheck
        self.name = name
        medians = nil
        value = Double(count)
        spread = nil
        self.bar = bar
    }
}

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
