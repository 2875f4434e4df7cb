/// A slow step of a log that all waiting callers share. The pause after a run is ``pause`` times as long as the run was, but
/// at most ``maximumPause``: the log's other work keeps most of the time, however many callers come.
final class PacedStep: @unchecked Sendable {  // Confined to the log's queue.
    /// How many times as long as a run the pause after it is.
    static let pause = 9
    static let maximumPause: Duration = .seconds(5)

    private var callers: [@Sendable (Result<Void, any Error>) -> Void] = []
    private var earliest: ContinuousClock.Instant?
    /// Whether a timer will begin the next run.
    var isScheduled = false
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Whether no caller waits.
    var isEmpty: Bool { callers.isEmpty }

    /// How long the next run has to wait; zero if it may begin now.
    var rest: Duration { earliest.map { max(now().duration(to: $0), .zero) } ?? .zero }

    /// - Parameter caller: Called with the outcome of the next run.
    func add(_ caller: @escaping @Sendable (Result<Void, any Error>) -> Void) { callers.append(caller) }

    /// Runs the step, and calls the callers so far with its outcome.
    func run<Value>(_ body: () throws -> Value) throws -> Value {
        let waiting = callers
        callers = []
        let start = now()
        let result = Result { try body() }
        let end = now()
        earliest = end + min(start.duration(to: end) * Self.pause, Self.maximumPause)
        for caller in waiting { caller(result.map { _ in }) }
        return try result.get()
    }
}
