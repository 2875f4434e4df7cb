/// Subject and baseline, measured in turns: whatever slows the machine for a while slows both.
struct Rounds: Sendable {
    enum Ratio: Sendable {
        /// How many times faster the subject is.
        case timesFaster
        /// How many times as long the subject takes.
        case timesAsLong
    }

    /// The measure of each round: nanoseconds an operation, unless a benchmark says otherwise.
    private(set) var subject: [Double] = []
    private(set) var baseline: [Double] = []

    /// Measures both sides once unrecorded and then `count` times, the one that goes first taking turns.
    init(_ count: Int, subject: () throws -> Double, baseline: () throws -> Double) rethrows {
        _ = try subject()
        _ = try baseline()
        for round in 0..<max(count, 1) {
            if round.isMultiple(of: 2) {
                self.subject.append(try subject())
                self.baseline.append(try baseline())
            } else {
                self.baseline.append(try baseline())
                self.subject.append(try subject())
            }
        }
    }

    func ratios(_ ratio: Ratio) -> [Double] {
        zip(subject, baseline).map { ratio == .timesFaster ? $1 / $0 : $0 / $1 }
    }
}

/// Nanoseconds that one operation takes, when it is done `count` times in a row.
func nanoseconds(_ count: Int, _ operation: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<count { try operation() }
    return (clock.now - start) / .nanoseconds(1) / Double(count)
}

/// How often an operation fits into this time, at least once: to make rounds of about one length.
func repetitions(in time: Duration, _ operation: () throws -> Void) rethrows -> Int {
    var count = 1
    while true {
        let total = try nanoseconds(count, operation) * Double(count)
        if total * 4 >= time / .nanoseconds(1) {
            return max(Int(Double(count) * (time / .nanoseconds(1)) / total), 1)
        }
        count *= 4
    }
}
