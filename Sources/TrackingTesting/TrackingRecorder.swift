internal import Locking
internal import Testing
public import Tracking
public import TrackingPlan
public import TrackingValidation

/// Records what a mock environment does, in order, and holds the parts that a test turns.
///
/// ```swift
/// let recorder = TrackingRecorder()
/// let environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)
/// AppLifeCycle(environment).didBecomeActive()
/// #expect(recorder.fired == [FiredEvent(.launch)])
/// ```
///
/// Everything happens in the call that causes it: there is nothing to wait for. Any thread.
///
/// If the environment variable `TRACKING_RECORDED_LINES` names a file, the line of every event that any recorder of the run
/// records is added to it: `trackctl coverage --tests FILE` says what no test has ever fired.
public final class TrackingRecorder: Sendable {
    /// The clock of the environment; it stands until it is moved.
    public let clock: ManualTrackingClock
    /// The log of the environment.
    public let log: InMemoryEventStore
    /// The key-value storage of the environment.
    public let storage: InMemoryKeyValueStorage

    private struct Content {
        var containers: [TrackingContainer] = []
        var diagnostics: [TrackingDiagnostic] = []
        var subscriptions: [FluxSubscription] = []
        var violations: [EventViolation] = []
        var validations: [EventValidation] = []
    }

    private let content = Locked(Content())
    private let plan: CompiledPlan?
    private let sourceLocation: SourceLocation

    /// Makes a recorder with a log and a storage of its own, both empty.
    ///
    /// - Parameters:
    ///   - now: Where its clock stands; 2018-09-12T11:54:07Z unless said otherwise.
    ///   - plan: What every event is checked against as it is sent; nil for no check. A violation, or an event that is
    ///     past a limit of its schema, fails the test that sent it.
    ///   - fileID, filePath, line, column: Where the failure is shown: here, unless said otherwise.
    public init(
        now: EventTime = EventTime(seconds: 1_536_753_247), validatingAgainst plan: CompiledPlan? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        self.plan = plan
        sourceLocation = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        clock = ManualTrackingClock(now)
        log = InMemoryEventStore(installID: SequentialTrackingIDs.uuid(kind: 1, number: 1))
        storage = InMemoryKeyValueStorage()
    }

    /// Every container that was dispatched, in order.
    public var containers: [TrackingContainer] { content.withLock { $0.containers } }

    /// Every event that fired, in order.
    public var fired: [FiredEvent] { containers.map { FiredEvent(container: $0) } }

    /// Everything the SDK could not do, in order: drops, for instance.
    public var diagnostics: [TrackingDiagnostic] { content.withLock { $0.diagnostics } }

    /// Every recorded event that broke the plan, in order; none without a plan. One that was dropped, because it is past a
    /// limit of its schema, is in ``diagnostics``.
    public var violations: [EventViolation] { content.withLock { $0.violations } }

    func record(_ diagnostic: TrackingDiagnostic) {
        content.withLock { $0.diagnostics.append(diagnostic) }
        // Such an event is dropped before anybody could check it.
        guard plan != nil, case .outOfLimits(let name, let error) = diagnostic else { return }
        Issue.record("the event \(name) breaks the plan, and was dropped: \(error)", sourceLocation: sourceLocation)
    }

    private func record(_ violation: EventViolation) {
        content.withLock { $0.violations.append(violation) }
        Issue.record("\(violation)", sourceLocation: sourceLocation)
    }

    func validate(_ tracking: TrackingModel) {
        guard let plan else { return }
        let validation = EventValidation(of: tracking, against: plan) { [weak self] in self?.record($0) }
        content.withLock { $0.validations.append(validation) }
    }

    func attach(to dispatcher: FluxDispatcher<TrackingContainer>, lines: RecordedLines? = .ofThisRun()) {
        let subscription = dispatcher.subscribe { [weak self] container in
            self?.content.withLock { $0.containers.append(container) }
            lines?.add(container)
        }
        content.withLock { $0.subscriptions.append(subscription) }
    }
}
