internal import EventLog
public import TrackingCore

/// The steps of a mock environment in order, and which of them were asserted.
struct RecordedSteps: Sendable {
    private(set) var all: [RecordedStep] = []
    private var isAsserted: [Bool] = []
    /// All steps before it are asserted, so that expectations need not check them again.
    private var firstUnasserted = 0
    /// All events before this step are asserted. Separate from the steps, since tests need not assert route commands.
    private var firstUnassertedEvent = 0
    /// The most recent route command at each step; nil before the first.
    private var routes: [(any RouteCommand)?] = []
    private var route: (any RouteCommand)?
    /// The consent of each event's person when the event fired; nil at other steps.
    private var consents: [Consent?] = []
    /// The events that have waited for an answer.
    private(set) var held: Set<Int> = []
    private var reportedDrops: Set<Int> = []
    /// Drops at a limit of a schema that must fail the test unless they are expected.
    private var invalid: Set<Int> = []
    /// Events that are missing because they were dropped; the drops have failed the test already.
    private var absences: [(location: Int, name: String)] = []

    /// - Parameter rule: The consent of an event's person; nil for other steps.
    mutating func append(_ step: RecordedStep, _ rule: ConsentRule? = nil) {
        if case .route(let command) = step { route = command }
        if rule?.isHolding == true { held.insert(all.count) }
        consents.append(rule?.status.value)
        all.append(step)
        isAsserted.append(false)
        routes.append(route)
    }

    /// All events.
    var events: [EventStep] { all.indices.compactMap(event) }

    /// The unasserted events, starting at a step.
    func unassertedEvents(from start: Int = 0) -> [EventStep] {
        locations(from: max(start, firstUnassertedEvent)).compactMap(event)
    }

    /// The unasserted steps, starting at a step.
    func unasserted(from start: Int = 0) -> [(location: Int, step: RecordedStep, event: EventStep?)] {
        locations(from: max(start, firstUnasserted)).map { ($0, all[$0], event(at: $0)) }
    }

    /// The last step if it is an event.
    var last: EventStep? { all.indices.last.flatMap(event) }

    private func event(at location: Int) -> EventStep? {
        guard case .event(let container) = all[location], let consent = consents[location] else { return nil }
        return EventStep(
            location: location, container: container, consent: consent, isAsserted: isAsserted[location])
    }

    /// Asserts the other steps that an exact expectation covers, such as route commands.
    mutating func passOver(from start: Int) {
        assert(locations(from: max(start, firstUnasserted)).filter { !all[$0].needsAssertion })
    }

    /// The indices of the unasserted drops, starting at a step.
    func drops(from start: Int) -> [Int] { unasserted(from: start).filter { $0.step.isDrop }.map(\.location) }

    /// The unasserted steps that require an assertion, without drops that a failure has reported.
    func rest() -> [Int] {
        unasserted().filter { $0.step.needsAssertion && !reportedDrops.contains($0.location) }.map(\.location)
    }

    /// Notes that a failure reports these drops, so that the final check does not report them again.
    mutating func report(_ drops: [Int]) { reportedDrops.formUnion(drops) }

    /// Requires that the last step, a drop at a limit of a schema, is expected.
    mutating func invalidateLast() { invalid.insert(all.count - 1) }

    /// The unasserted drops at a limit of a schema that no failure has reported, starting at a step.
    func invalidDrops(from start: Int) -> [(location: Int, step: RecordedStep)] {
        invalid.subtracting(reportedDrops).sorted().filter { $0 >= start && !isAsserted[$0] }.map { ($0, all[$0]) }
    }

    /// Asserts a drop that fails the test itself, and notes that an event of its name is missing for this reason.
    ///
    /// - Returns: The limit; nil if the SDK has not reported it.
    mutating func assert(dropOf name: String, at location: Int) -> TrackingEventError? {
        assert(CollectionOfOne(location))
        absences.append((location, name))
        return limit(ofDropAt: location)
    }

    /// The limit of the schema that a dropped event violates; nil if it is not known.
    func limit(ofDropAt location: Int) -> TrackingEventError? {
        guard case .diagnostic(.dropped(let name, .outOfLimits)) = all[location] else { return nil }
        for step in all[..<location].reversed() {
            if case .diagnostic(.outOfLimits(name, let error)) = step { return error }
        }
        return nil
    }

    /// Notes that an event waits for an answer.
    mutating func hold(_ location: Int) { held.insert(location) }

    /// Whether drops that have failed the test explain all missing events, starting at a step. Each drop explains one
    /// event.
    ///
    /// - Parameter missing: For each missing event, its possible names.
    mutating func explains(_ missing: [Set<String>], from start: Int) -> Bool {
        var rest = absences
        for names in missing {
            guard let index = rest.firstIndex(where: { $0.location >= start && names.contains($0.name) }) else {
                return false
            }
            rest.remove(at: index)
        }
        absences = rest
        return true
    }

    private func locations(from start: Int) -> [Int] { all.indices.dropFirst(start).filter { !isAsserted[$0] } }

    mutating func assert(_ locations: some Sequence<Int>) {
        for location in locations { isAsserted[location] = true }
        while firstUnasserted < all.count, isAsserted[firstUnasserted] { firstUnasserted += 1 }
        while firstUnassertedEvent < all.count, isAsserted[firstUnassertedEvent] || !all[firstUnassertedEvent].isEvent {
            firstUnassertedEvent += 1
        }
    }

    mutating func assertAll() {
        assert(all.indices)
        absences = []
    }

    /// The most recent route command at a step.
    func route(at location: Int) -> (any RouteCommand)? { routes[location] }
}

/// A recorded event.
struct EventStep: Sendable {
    /// The index among all steps.
    let location: Int
    let container: TrackingContainer
    /// The consent of the event's person when the event fired.
    let consent: Consent
    let isAsserted: Bool
}

/// A step of a mock environment.
public enum RecordedStep: Sendable {
    /// A route command was dispatched.
    case route(any RouteCommand)
    /// A new device id was created.
    case device(DeviceAction)
    /// An event fired.
    case event(TrackingContainer)
    /// An error or delay occurred: a drop, for instance.
    case diagnostic(TrackingDiagnostic)
}

extension RecordedStep {
    var isEvent: Bool { if case .event = self { true } else { false } }

    var isDrop: Bool { if case .diagnostic(.dropped) = self { true } else { false } }

    /// Whether a test must assert this step to be exhaustive.
    var needsAssertion: Bool {
        switch self {
        case .event, .diagnostic(.dropped): true
        default: false
        }
    }

    /// The code that expects this drop; nil for other steps.
    var dropPattern: String? {
        guard case .diagnostic(.dropped(let name, let reason)) = self else { return nil }
        return ".drop(of: \"\(name)\", .\(reason))"
    }

    /// Whether the step only adds details to the drop that follows.
    var isDetail: Bool {
        switch self {
        case .diagnostic(.outOfLimits), .diagnostic(.notEncodable): true
        default: false
        }
    }
}

extension RecordedStep: CustomStringConvertible {
    /// The step in one line. In an event, each hashed property is followed by its original text.
    public var description: String {
        switch self {
        case .route(let command): "route \(command)"
        case .device: "device id"
        case .event(let container): EventText.text(container)
        case .diagnostic(.dropped(let name, let reason)): "drop of \(name): \(reason.rawValue)"
        case .diagnostic(let diagnostic): "diagnostic \(diagnostic)"
        }
    }
}
