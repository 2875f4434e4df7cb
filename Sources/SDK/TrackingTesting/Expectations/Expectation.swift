internal import TrackingCore

/// A requirement for the steps that no other expectation has asserted.
enum Expectation {
    /// Events that match these patterns, in this order, and no other events.
    case exactly([EventPattern])
    /// Events that match these patterns, in this order, with any others in between.
    case atLeast([EventPattern])
    /// A number of events that match at least one of these patterns.
    case count(Int, of: [EventPattern])
    /// Steps of all domains that match these patterns, in this order, and no other steps.
    case steps([StepPattern])
}

// All public expectations call these methods. Each has a form for the steps so far, and a form for a block, which may
// be async.
extension TrackingRecorder {
    /// Checks an expectation, and fails the running test if it is not met.
    ///
    /// - Parameter start: The first step to check.
    func check(_ expectation: Expectation, from start: Int = 0, at location: CodeLocation) {
        switch expectation {
        case .exactly(let patterns): expectExactly(patterns, from: start, at: location)
        case .atLeast(let patterns): expectSome(patterns, from: start, at: location)
        case .count(let count, let patterns): expectCount(count, of: patterns, from: start, at: location)
        case .steps(let patterns): expectSteps(patterns, from: start, at: location)
        }
    }

    /// Checks an expectation for the steps during an action. If the action throws, nothing is checked.
    func check<Result>(
        _ expectation: Expectation, at location: CodeLocation, during action: () throws -> Result
    ) rethrows -> Result {
        let start = withSteps { $0.all.count }
        let result = try action()
        check(expectation, from: start, at: location)
        return result
    }

    /// Checks an expectation for the steps during an async action. If the action throws, nothing is checked.
    func check<Result>(
        _ expectation: Expectation, at location: CodeLocation, isolation: isolated (any Actor)?,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let start = withSteps { $0.all.count }
        let result = try await action()
        check(expectation, from: start, at: location)
        return result
    }

    /// A pattern for each of these events, without placeholders.
    static func patterns<each Event: TrackingEvent>(_ events: repeat each Event) -> [EventPattern] {
        var patterns: [EventPattern] = []
        for event in repeat each events {
            if !(event is NoEvent) { patterns.append(.event(event)) }
        }
        return patterns
    }

    static func patterns(contentsOf events: [any TrackingEvent]) -> [EventPattern] { events.map { .event($0) } }
}
