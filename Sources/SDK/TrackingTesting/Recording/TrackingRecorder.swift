internal import EventLog
internal import Primitives
public import Testing
public import TrackingCore
public import TrackingPlan
public import TrackingValidation

/// Records the steps of a mock environment in order, provides its controllable dependencies, and asserts the recorded
/// events.
///
/// ```swift
/// let recorder = TrackingRecorder()
/// let environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)
/// AppLifeCycle(environment).didBecomeActive()
/// recorder.expect(.launch)
/// ```
///
/// All steps happen synchronously in the call that causes them. Thread-safe. A failed expectation fails the running
/// test, in Swift Testing and in XCTest.
///
/// **Exhaustive.** Events and drops that were not asserted fail the test when the recorder is released: at the end of
/// the test function or of the suite instance that holds it. A property of an `XCTestCase` lives until the end of the
/// run: call ``expectNothingElse(sourceLocation:fileID:filePath:line:column:)`` in `tearDown()`. Reading ``fired``,
/// ``containers``, ``diagnostics`` or ``steps`` asserts nothing. Call ``skipRecorded()`` to skip events of the test's
/// setup, or events that the test compares itself. Pass ``Exhaustivity/off`` to disable the check. Keep the recorder
/// until the end of the test, and no longer: events after its release are not recorded, and a leaked recorder skips its
/// final check.
///
/// **Valid.** Every event with a schema is validated when it is sent. A violation fails the test that sent the event. If
/// the SDK drops an event at a limit of its schema, the test fails in the expectation that misses the event, or at its
/// end, unless you expect the drop: `expectSteps(.drop(of: "search", .outOfLimits))`.
///
/// If the environment variable `TRACKING_RECORDED_LINES` names a file, all recorders of the run add the line of each
/// event to it: `trackctl coverage --tests FILE` lists the events that no test has fired. For `TRACKING_FIRING_MATRIX`,
/// see ``FiringMatrix``.
public final class TrackingRecorder: Sendable {
    /// The clock of the environment. It moves only when you advance or set it.
    public let clock: ManualTrackingClock
    /// The log of the environment.
    public let log: InMemoryEventStore
    /// The key-value storage of the environment.
    public let storage: InMemoryKeyValueStorage
    /// The identifiers of the environment. They continue in a second environment, as after a restart.
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
    /// Whether only the standard events require a schema.
    private let allowsUnplanned: Bool
    private let exhaustivity: Exhaustivity
    private let location: CodeLocation
    private let isOfTest = TestFailure.isInTest

    /// The default time of a recorder's clock: 2018-09-12T11:54:07Z.
    public static let start = EventTime(seconds: 1_536_753_247)

    /// Makes a recorder with a new log and a new storage. Validates the standard events against their schemas; accepts
    /// an app's own events and pages without validation.
    ///
    /// - Parameters:
    ///   - now: The initial time of the clock.
    ///   - exhaustivity: Whether unasserted events fail the test.
    ///   - sourceLocation, fileID, filePath, line, column: The location of failures outside expectations. Default: the
    ///     call.
    public convenience init(
        now: EventTime = start, exhaustivity: Exhaustivity = .on, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            now: now, plan: .standard, allowsUnplanned: true, exhaustivity: exhaustivity,
            location: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Creates a recorder with a new log, a new storage, and a plan that must contain every event.
    ///
    /// - Parameters:
    ///   - now: The initial time of the clock.
    ///   - plan: The plan against which every event is validated when it is sent, see `EventPlan.adding(_:)`; nil for
    ///     no validation. A violation, an event without a schema, and an unexpected drop at a limit of a schema fail the
    ///     test that sent the event.
    ///   - exhaustivity: Whether unasserted events fail the test.
    ///   - sourceLocation, fileID, filePath, line, column: The location of failures outside expectations. Default: the
    ///     call.
    public convenience init(
        now: EventTime = start, validatingAgainst plan: CompiledPlan?, exhaustivity: Exhaustivity = .on,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            now: now, plan: plan, allowsUnplanned: false, exhaustivity: exhaustivity,
            location: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    private init(
        now: EventTime, plan: CompiledPlan?, allowsUnplanned: Bool, exhaustivity: Exhaustivity,
        location: CodeLocation
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
        if exhaustivity == .on { expectNothingElse(at: location) } else { reportInvalidDrops(at: location) }
        for failure in takeLateFailures() { TestFailure.report(failure.message, at: failure.location) }
    }

    /// All dispatched containers, in order. Reading asserts nothing.
    public var containers: [TrackingContainer] {
        steps.compactMap { if case .event(let container) = $0 { container } else { nil } }
    }

    /// All events that fired, in order. Reading asserts nothing.
    public var fired: [FiredEvent] { containers.map { FiredEvent(container: $0) } }

    /// All diagnostics of the SDK, in order: drops, for instance. Reading asserts nothing.
    public var diagnostics: [TrackingDiagnostic] {
        steps.compactMap { if case .diagnostic(let one) = $0 { one } else { nil } }
    }

    /// All steps in order: route commands, new device ids, events and diagnostics. Reading asserts nothing.
    public var steps: [RecordedStep] { content.withLock { $0.steps.all } }

    /// Skips all steps so far, such as events of the test's setup, or events that the test has compared itself. No
    /// expectation includes them. Drops at a limit of a validated schema fail the test.
    public func skipRecorded() {
        reportInvalidDrops(at: location)
        withSteps { $0.assertAll() }
    }

    /// All recorded events that violate the plan, in order; empty without a plan. Events that were dropped because they
    /// violate a limit of their schema are in ``diagnostics``.
    public var violations: [EventViolation] { content.withLock { $0.violations } }

    /// Accesses the steps under the lock.
    func withSteps<Result>(_ body: (inout RecordedSteps) -> Result) -> Result {
        content.withLock { body(&$0.steps) }
    }

    func record(_ diagnostic: TrackingDiagnostic) {
        withSteps { steps in
            steps.append(.diagnostic(diagnostic))
            // Such an event is dropped before it can be validated.
            guard plan != nil, case .dropped(let name, .outOfLimits) = diagnostic, isPlanned(name) else { return }
            steps.invalidateLast()
        }
    }

    private func record(_ violation: EventViolation) {
        guard isPlanned(violation.eventName) else { return }
        content.withLock { $0.violations.append(violation) }
        fail("\(violation)", at: location)
    }

    /// Fails the test: immediately, or with the next expectation if this is not a task of the test, since the failure
    /// could not be attributed to the test.
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

    /// Records route commands and events, before their effects.
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
        // Report a violation after recording the event.
        let validation = plan.map { plan in
            EventValidation(of: environment.tracking, against: plan) { [weak self] in self?.record($0) }
        }
        content.withLock { content in
            content.subscriptions += subscriptions
            if let validation { content.validations.append(validation) }
        }
    }

    /// Whether an event requires a schema.
    private func isPlanned(_ name: String) -> Bool { !allowsUnplanned || Self.standardNames.contains(name) }

    private static let standardNames = Set(EventPlan.standard.newest.map(\.name))

    private func append(_ step: RecordedStep) {
        let rule = if case .event(let container) = step { consentRule(of: container) } else { ConsentRule?.none }
        let (event, waits) = content.withLock { content in
            content.steps.append(step, rule)
            return (content.steps.last, content.waits)
        }
        guard !waits.isEmpty, let event else { return }
        for wait in waits where wait.pattern.matches(event) { end(wait) }
    }

    /// The rule that decides about the delivery of an event now.
    func consentRule(of container: TrackingContainer) -> ConsentRule {
        ConsentRule(of: container.userID, for: type(of: container.event).purpose, log.consentRecord(of:))
    }

    func begin(_ wait: EventWait) { content.withLock { $0.waits.append(wait) } }

    func end(_ wait: EventWait) {
        content.withLock { $0.waits.removeAll { $0.wait === wait.wait } }
        wait.wait.end()
    }
}

/// Whether events that no expectation has asserted fail the test.
public enum Exhaustivity: Sendable {
    /// Unasserted events and drops fail the test when the recorder is released.
    case on
    /// Unasserted events and drops are ignored.
    case off
}
