/// When a log rewrites its database.
struct Rewrites {
    /// The shortest time between two.
    static let interval = Duration.seconds(24 * 60 * 60)

    /// Whether rows were removed since the last one.
    var isWanted = false {
        didSet { if isWanted, !oldValue { wantedSince = now() } }
    }
    private var wantedSince: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    func isDue(isIdle: Bool) -> Bool {
        guard isWanted else { return false }
        func isOver(_ start: ContinuousClock.Instant?) -> Bool {
            start.map { $0.duration(to: now()) >= Self.interval } ?? true
        }
        return isOver(last) && (isIdle || isOver(wantedSince))
    }

    mutating func begin() {
        isWanted = false
        last = now()
    }
}
