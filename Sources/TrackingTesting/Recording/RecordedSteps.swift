internal import Tracking

/// The steps of a mock environment in order, and which of them an expectation has asserted.
struct RecordedSteps: Sendable {
    private(set) var all: [RecordedStep] = []
    private var isAsserted: [Bool] = []
    /// The route command that was the last one at each step; nil before the first.
    private var routes: [(any RouteCommand)?] = []
    private var route: (any RouteCommand)?

    mutating func append(_ step: RecordedStep) {
        if case .route(let command) = step { route = command }
        all.append(step)
        isAsserted.append(false)
        routes.append(route)
    }

    /// The places of the events, from a step on, that nothing has asserted.
    func unassertedEvents(from start: Int = 0) -> [(place: Int, container: TrackingContainer)] {
        unasserted(from: start).compactMap { place, step in
            if case .event(let container) = step { (place, container) } else { nil }
        }
    }

    /// The places of the steps, from one on, that nothing has asserted.
    func unasserted(from start: Int = 0) -> [(place: Int, step: RecordedStep)] {
        (start..<all.count).compactMap { isAsserted[$0] ? nil : ($0, all[$0]) }
    }

    mutating func assert(_ places: some Sequence<Int>) {
        for place in places { isAsserted[place] = true }
    }

    mutating func assertAll(where isMeant: (RecordedStep) -> Bool) {
        for place in all.indices where isMeant(all[place]) { isAsserted[place] = true }
    }

    /// Where the app was when a step was taken.
    func route(at place: Int) -> (any RouteCommand)? { routes[place] }
}
