internal import Primitives
public import TrackingCore
public import TrackingPlan

/// Checks every event against a plan as it is sent.
///
/// For debug builds, where a violation is told to whoever develops the app; unit tests have it in their
/// `TrackingRecorder`. It is a subscriber like any other: events are recorded whether they are right or not.
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
/// It ends when it is released, so keep it as long as events are sent. Any thread; a check takes microseconds, on the thread that sends.
public final class EventValidation: Sendable {
    private let checker: Locked<ReusedChecker>
    private let subscription: Locked<FluxSubscription?> = Locked(nil)
    private let report: @Sendable (EventViolation) -> Void

    /// Starts to check what an environment sends.
    ///
    /// - Parameters:
    ///   - plan: What events must keep to; see `EventPlan.standard` and `EventPlan.adding(_:)`.
    ///   - report: Told of each event that does not, in the call that sends it and in the order of `seq`. It must not
    ///     wait for another thread that sends.
    public convenience init<Command>(
        of environment: TrackingEnvironment<Command>, against plan: CompiledPlan,
        report: @escaping @Sendable (EventViolation) -> Void
    ) {
        self.init(of: environment.tracking, against: plan, report: report)
    }

    /// Starts to check what a model sends.
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

/// A checker that a lock can hold.
private final class ReusedChecker {
    private var checker: LineChecker

    init(_ plan: CompiledPlan) { checker = LineChecker(plan) }

    func findings(_ line: [UInt8]) -> [LineFinding] {
        line.withUnsafeBytes { checker.validEvent($0) == nil ? checker.check($0).findings : [] }
    }
}
