/// When a partition that failed tries again: after 0.25 s, then twice as long each time, up to 15 s, with jitter.
struct RetryPause {
    private var failures = 0
    private var next: ContinuousClock.Instant?

    var isOver: Bool { next.map { ContinuousClock.now >= $0 } ?? true }

    mutating func succeeded() {
        failures = 0
        next = nil
    }

    mutating func failed() -> Duration {
        failures = min(failures + 1, 10)
        let longest = min(15.0, 0.25 * Double(1 << (failures - 1)))
        let wait = Duration.milliseconds(Int64(Double.random(in: 0.5...1) * longest * 1000))
        next = .now.advanced(by: wait)
        return wait
    }
}
