internal import Primitives
public import Testing
public import TrackingCore
public import TrackingPlan
public import TrackingValidation

/// Records what a mock environment does, in order, holds the parts that a test turns, and asserts.
///
/// ```swift
/// let recorder = TrackingRecorder()
/// let environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)
/// AppLifeCycle(environment).didBecomeActive()
/// recorder.expect(.launch)
/// ```
///
/// Everything happens in the call that causes it: there is nothing to wait for. Any thread. A failed expectation fails the
/// test that is running, in Swift Testing and in XCTest.
///
/// **Exhaustive.** An event that fired, or was dropped, and that no expectation asserted fails the test when the recorder
/// goes away: at the end of a test function that holds it, or of the suite's value. A property of an `XCTestCase` lives to the
/// end of the run: call ``expectNothingElse(sourceLocation:fileID:filePath:line:column:)`` in `tearDown()`. To read ``fired``,
/// ``containers``, ``diagnostics`` or ``steps`` asserts nothing, or one look at a list would hide all of it.
/// ``skipRecorded()`` passes over what a test's preparation fired, or what it compared by hand; ``Exhaustivity/off`` switches
/// it off. Keep the recorder to the end of the test, and no longer: nobody hears what fires after it is gone, and one that a
/// static property or a task nobody awaits keeps alive never asks.
///
/// **Valid.** Every event that has a schema is checked against it as it is sent, and a violation fails the test that sent
/// it.
///
/// If the environment variable `TRACKING_RECORDED_LINES` names a file, the line of every event that any recorder of the run
/// records is added to it: `trackctl coverage --tests FILE` says what no test has ever fired. If `TRACKING_FIRING_MATRIX`
/// does, see ``FiringMatrix``.
public final class TrackingRecorder: Sendable {
    /// The clock of the environment; it stands until it is moved.
    public let clock: ManualTrackingClock
    /// The log of the environment.
    public let log: InMemoryEventStore
    /// The key-value storage of the environment.
    public let storage: InMemoryKeyValueStorage
    /// The identifiers of the environment. They go on counting in a second one, as after a restart.
    public let ids = SequentialTrackingIDs()

    private struct Content {
        var steps = RecordedSteps()
        var subscriptions: [FluxSubscription] = []
        var violations: [EventViolation] = []
        var validations: [EventValidation] = []
        var waits: [EventWait] = []
        var lateFailures: [(message: String, location: CodeLocation)] = []
    }

    private let content = Locked(Content())
    private let plan: CompiledPlan?
    /// Whether only the standard events must have a schema.
    private let allowsUnplanned: Bool
    private let exhaustivity: Exhaustivity
    private let location: CodeLocation
    private let isOfTest = TestFailure.isInTest

    /// Where the clock of a recorder stands unless said otherwise: 2018-09-12T11:54:07Z.
    public static let start = EventTime(seconds: 1_536_753_247)

    /// Makes a recorder with a log and a storage of its own, both empty. The standard events are checked against their
    /// schemas; an app's own events and pages are accepted as they are.
    ///
    /// - Parameters:
    ///   - now: Where its clock stands.
    ///   - exhaustivity: What becomes of events that no expectation asserted.
    ///   - sourceLocation, fileID, filePath, line, column: Where a failure of no expectation is shown: here, unless said otherwise.
    public convenience init(
        now: EventTime = start, exhaustivity: Exhaustivity = .on, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            now, .standard, allowsUnplanned: true, exhaustivity,
            CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Makes a recorder with a log and a storage of its own, both empty, and a plan that every event must be in.
    ///
    /// - Parameters:
    ///   - now: Where its clock stands.
    ///   - plan: What every event is checked against as it is sent, see `EventPlan.adding(_:)`; nil for no check. A
    ///     violation, an event without a schema, or one that is past a limit of its schema, fails the test that sent it.
    ///   - exhaustivity: What becomes of events that no expectation asserted.
    ///   - sourceLocation, fileID, filePath, line, column: Where a failure of no expectation is shown: here, unless said otherwise.
    public convenience init(
        now: EventTime = start, validatingAgainst plan: CompiledPlan?, exhaustivity: Exhaustivity = .on,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            now, plan, allowsUnplanned: false, exhaustivity,
            CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    private init(
        _ now: EventTime, _ plan: CompiledPlan?, allowsUnplanned: Bool, _ exhaustivity: Exhaustivity,
        _ location: CodeLocation
    ) {
        self.plan = plan
        self.allowsUnplanned = allowsUnplanned
        self.exhaustivity = exhaustivity
        self.location = location
        clock = ManualTrackingClock(now)
        log = InMemoryEventStore(installID: SequentialTrackingIDs.uuid(kind: 1, number: 1))
        storage = InMemoryKeyValueStorage()
    }

    deinit {
        if exhaustivity == .on { expectNothingElse(at: location) }
        for failure in takeLateFailures() { TestFailure.report(failure.message, at: failure.location) }
    }

    /// Every container that was dispatched, in order. Asserts nothing.
    public var containers: [TrackingContainer] {
        steps.compactMap { if case .event(let container) = $0 { container } else { nil } }
    }

    /// Every event that fired, in order. Asserts nothing.
    public var fired: [FiredEvent] { containers.map { FiredEvent(container: $0) } }

    /// Everything the SDK could not do, in order: drops, for instance. Asserts nothing.
    public var diagnostics: [TrackingDiagnostic] {
        steps.compactMap { if case .diagnostic(let one) = $0 { one } else { nil } }
    }

    /// Everything that happened, in order: route commands, the device's id, events and diagnostics. Asserts nothing.
    public var steps: [RecordedStep] { content.withLock { $0.steps.all } }

    /// Passes over everything so far: what fired while the test was prepared, or what it has compared by hand, is for no
    /// expectation.
    public func skipRecorded() { withSteps { $0.assertAll() } }

    /// Every recorded event that broke the plan, in order; none without a plan. One that was dropped, because it is past a
    /// limit of its schema, is in ``diagnostics``.
    public var violations: [EventViolation] { content.withLock { $0.violations } }

    /// Works on the steps alone.
    func withSteps<Result>(_ body: (inout RecordedSteps) -> Result) -> Result {
        content.withLock { body(&$0.steps) }
    }

    func record(_ diagnostic: TrackingDiagnostic) {
        withSteps { steps in
            let last = steps.all.last
            steps.append(.diagnostic(diagnostic))
            // The drop of an event past a limit was reported with the limit.
            guard plan != nil, case .dropped(let name, .encoding) = diagnostic,
                case .diagnostic(.outOfLimits(name, _))? = last, isPlanned(name)
            else { return }
            steps.reportLast(dropOf: name)
        }
        // Such an event is dropped before anybody could check it.
        guard plan != nil, case .outOfLimits(let name, let error) = diagnostic, isPlanned(name) else { return }
        fail(
            "event \(name) was dropped: \(error); send a value within the limit, or change the schema", at: location)
    }

    private func record(_ violation: EventViolation) {
        guard isPlanned(violation.eventName) else { return }
        content.withLock { $0.violations.append(violation) }
        fail("\(violation)", at: location)
    }

    /// Fails the test: at once, or with the next expectation if this is no task of the test, of which nobody would know
    /// which test it belongs to.
    func fail(_ message: String, at location: CodeLocation) {
        if isOfTest, !TestFailure.isInTest {
            content.withLock { $0.lateFailures.append((message, location)) }
        } else {
            for failure in takeLateFailures() { TestFailure.report(failure.message, at: failure.location) }
            TestFailure.report(message, at: location)
        }
    }

    private func takeLateFailures() -> [(message: String, location: CodeLocation)] {
        content.withLock { content in
            defer { content.lateFailures = [] }
            return content.lateFailures
        }
    }

    /// Records route commands and events, before what they cause.
    func observe<Command: RouteCommand>(
        _ routes: FluxDispatcher<Command>, _ containers: FluxDispatcher<TrackingContainer>
    ) {
        let subscriptions = [
            routes.subscribe { [weak self] in self?.append(.route($0)) },
            containers.subscribe { [weak self] in self?.append(.event($0)) },
        ]
        content.withLock { $0.subscriptions += subscriptions }
    }

    func attach<Command: RouteCommand>(to environment: TrackingEnvironment<Command>) {
        attach(to: environment, lines: .ofThisRun(at: location))
    }

    func attach<Command: RouteCommand>(to environment: TrackingEnvironment<Command>, lines: RecordedLines?) {
        let subscriptions = [
            environment.device.dispatcher.subscribe { [weak self] in self?.append(.device($0)) },
            environment.tracking.dispatcher.subscribe { lines?.add($0) },
        ]
        // A line that is at fault is told after what it holds was recorded.
        let validation = plan.map { plan in
            EventValidation(of: environment.tracking, against: plan) { [weak self] in self?.record($0) }
        }
        content.withLock { content in
            content.subscriptions += subscriptions
            if let validation { content.validations.append(validation) }
        }
    }

    /// Whether an event must keep to a schema.
    private func isPlanned(_ name: String) -> Bool { !allowsUnplanned || Self.standardNames.contains(name) }

    private static let standardNames = Set(EventPlan.standard.newest.map(\.name))

    private func append(_ step: RecordedStep) {
        let waits = content.withLock { content in
            content.steps.append(step)
            return content.waits
        }
        guard !waits.isEmpty, case .event(let container) = step else { return }
        for wait in waits where wait.pattern.matches(container) { end(wait) }
    }

    func begin(_ wait: EventWait) { content.withLock { $0.waits.append(wait) } }

    func end(_ wait: EventWait) {
        content.withLock { $0.waits.removeAll { $0.wait === wait.wait } }
        wait.wait.end()
    }
}

/// What becomes of events that no expectation of a test has asserted.
public enum Exhaustivity: Sendable {
    /// They fail the test when the recorder goes away, and so do drops.
    case on
    /// Nobody asks.
    case off
}
