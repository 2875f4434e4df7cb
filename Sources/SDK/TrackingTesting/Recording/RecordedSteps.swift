public import TrackingCore

/// The steps of a mock environment in order, and which of them an expectation has asserted.
struct RecordedSteps: Sendable {
    private(set) var all: [RecordedStep] = []
    private var isAsserted: [Bool] = []
    /// Before it every step is asserted, so that a test with many expectations does not look at all steps for each.
    private var firstUnasserted = 0
    /// The same for events alone: tests need not assert where the app went.
    private var firstUnassertedEvent = 0
    /// The route command that was the last one at each step; nil before the first.
    private var routes: [(any RouteCommand)?] = []
    private var route: (any RouteCommand)?
    private var reportedDrops: Set<Int> = []
    /// Events that are missing because they were dropped, which has failed the test already.
    private var absences: [(location: Int, name: String)] = []

    mutating func append(_ step: RecordedStep) {
        if case .route(let command) = step { route = command }
        all.append(step)
        isAsserted.append(false)
        routes.append(route)
    }

    /// The places of the events, from a step on, that nothing has asserted.
    func unassertedEvents(from start: Int = 0) -> [(location: Int, container: TrackingContainer)] {
        locations(from: max(start, firstUnassertedEvent)).compactMap { location in
            if case .event(let container) = all[location] { (location, container) } else { nil }
        }
    }

    /// The places of the steps, from one on, that nothing has asserted.
    func unasserted(from start: Int = 0) -> [(location: Int, step: RecordedStep)] {
        locations(from: max(start, firstUnasserted)).map { ($0, all[$0]) }
    }

    /// Asserts what an exact expectation passes over: where the app went, for instance.
    mutating func passOver(from start: Int) {
        assert(locations(from: max(start, firstUnasserted)).filter { !all[$0].needsAssertion })
    }

    /// The places of the drops, from a step on, that nothing has asserted.
    func drops(from start: Int) -> [Int] { unasserted(from: start).filter { $0.step.isDrop }.map(\.location) }

    /// The steps that need an assertion and have none, but for drops that a failure has reported.
    func rest() -> [Int] {
        unasserted().filter { $0.step.needsAssertion && !reportedDrops.contains($0.location) }.map(\.location)
    }

    // MARK: Drops that failures have reported

    /// Notes that a failure reports these drops, so that none is the cause of another one at the end.
    mutating func report(_ drops: [Int]) { reportedDrops.formUnion(drops) }

    /// Asserts the last step, a drop that has failed the test itself, and notes that an event of its name is missing for
    /// that reason.
    mutating func reportLast(dropOf name: String) {
        assert(CollectionOfOne(all.count - 1))
        absences.append((all.count - 1, name))
    }

    /// Whether drops that have failed the test themselves, from a step on, are why events are missing: all of them. Each drop
    /// explains one.
    ///
    /// - Parameter missing: The names of each that is missing: any of them.
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

    /// Where the app was when a step was taken.
    func route(at location: Int) -> (any RouteCommand)? { routes[location] }
}

/// Something that happened in a mock environment.
public enum RecordedStep: Sendable {
    /// A route command was given.
    case route(any RouteCommand)
    /// The device's id was made anew.
    case device(DeviceAction)
    /// An event fired.
    case event(TrackingContainer)
    /// Something could not be done: a drop, for instance.
    case diagnostic(TrackingDiagnostic)
}

extension RecordedStep {
    var isEvent: Bool { if case .event = self { true } else { false } }

    var isDrop: Bool { if case .diagnostic(.dropped) = self { true } else { false } }

    /// Whether a test that does not assert it lets something slip.
    var needsAssertion: Bool {
        switch self {
        case .event, .diagnostic(.dropped): true
        default: false
        }
    }

    /// How a test writes that it expects this drop; nil for anything else.
    var dropPattern: String? {
        guard case .diagnostic(.dropped(let name, let reason)) = self else { return nil }
        return ".drop(of: \"\(name)\", .\(reason))"
    }

    /// Whether it only says more about the drop that follows.
    var isDetail: Bool {
        switch self {
        case .diagnostic(.outOfLimits), .diagnostic(.notEncodable): true
        default: false
        }
    }
}

extension RecordedStep: CustomStringConvertible {
    /// The step in a line; of an event, with what was hashed behind each hash.
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
