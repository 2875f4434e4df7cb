internal import Primitives
public import TrackingCore
public import TrackingPlan

/// Validates every event against a plan when it is sent.
///
/// Use it in debug builds to report violations to developers; unit tests use `TrackingRecorder` instead. It is an
/// ordinary subscriber: events are recorded whether they are valid or not.
///
/// ```swift
/// final class AppDelegate {
///     #if DEBUG
///         private var validation: EventValidation?
///     #endif
///
///     func didFinishLaunching() {
///         #if DEBUG
///             validation = EventValidation(of: environment, against: plan) { print($0) }
///         #endif
///     }
/// }
/// ```
///
/// The validation ends when this object is released. Thread-safe. A check takes microseconds, on the thread that sends.
public final class EventValidation: Sendable {
    private let checker: Locked<ReusedChecker>
    private let subscription: Locked<FluxSubscription?> = Locked(nil)
    private let report: @Sendable (EventViolation) -> Void

    /// Starts validating the events of an environment.
    ///
    /// - Parameters:
    ///   - plan: The plan; see `EventPlan.standard` and `EventPlan.adding(_:)`.
    ///   - report: Called with each violation, in the call that sends the event and in the order of `seq`. It must not
    ///     wait for another thread that sends.
    public convenience init<Command>(
        of environment: TrackingEnvironment<Command>, against plan: CompiledPlan,
        report: @escaping @Sendable (EventViolation) -> Void
    ) {
        self.init(of: environment.tracking, against: plan, report: report)
    }

    /// Starts validating the events of a tracker.
    public init(
        of tracking: Tracker, against plan: CompiledPlan, report: @escaping @Sendable (EventViolation) -> Void
    ) {
        checker = Locked(ReusedChecker(plan))
        self.report = report
        let subscription = tracking.dispatcher.subscribe { [weak self] in self?.check($0) }
        self.subscription.withLock { $0 = subscription }
    }

    private func check(_ container: TrackingContainer) {
        let findings: [LineFinding]
        do {
            let line = try container.line()
            findings = checker.withLock { $0.findings(line) }
        } catch {
            findings = [LineFinding(.notJSON, "cannot be encoded: \(error)")]
        }
        guard !findings.isEmpty else { return }
        report(EventViolation(eventName: container.name, seq: container.seq, findings: findings))
    }
}

/// A reference to a reusable checker, for use in a lock.
private final class ReusedChecker {
    private var checker: LineChecker

    init(_ plan: CompiledPlan) { checker = LineChecker(plan) }

    func findings(_ line: [UInt8]) -> [LineFinding] {
        line.withUnsafeBytes { checker.validEvent($0) == nil ? checker.check($0).findings : [] }
    }
}
