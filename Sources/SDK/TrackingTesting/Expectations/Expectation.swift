internal import TrackingCore

/// What an expectation asks of the steps that no other one has asserted.
enum Expectation {
    /// Events that these patterns take, in this order, and no other event.
    case exactly([EventPattern])
    /// Events that these patterns take, in this order, with any others between them.
    case atLeast([EventPattern])
    /// So many events that one of these patterns takes.
    case count(Int, of: [EventPattern])
    /// Steps of all domains that these patterns take, in this order, and no other step.
    case steps([StepPattern])
}

// All public expectations end here: each has a form for what happened so far, and one for a block, which may wait.
extension TrackingRecorder {
    /// Checks an expectation, and fails the test that is running if it is not met.
    ///
    /// - Parameter start: The first step that it is about.
    func check(_ expectation: Expectation, from start: Int = 0, at location: CodeLocation) {
        switch expectation {
        case .exactly(let patterns): expectExactly(patterns, from: start, at: location)
        case .atLeast(let patterns): expectSome(patterns, from: start, at: location)
        case .count(let count, let patterns): expectCount(count, of: patterns, from: start, at: location)
        case .steps(let patterns): expectSteps(patterns, from: start, at: location)
        }
    }

    /// The same for what happens while an action runs. If the action throws, nothing is checked.
    func check<Result>(
        _ expectation: Expectation, at location: CodeLocation, during action: () throws -> Result
    ) rethrows -> Result {
        let start = withSteps { $0.all.count }
        let result = try action()
        check(expectation, from: start, at: location)
        return result
    }

    /// The same for an action that waits for something.
    func check<Result>(
        _ expectation: Expectation, at location: CodeLocation, isolation: isolated (any Actor)?,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let start = withSteps { $0.all.count }
        let result = try await action()
        check(expectation, from: start, at: location)
        return result
    }

    /// What takes each of these events that is given.
    static func patterns<each Event: TrackingEvent>(_ events: repeat each Event) -> [EventPattern] {
        var patterns: [EventPattern] = []
        for event in repeat each events {
            if !(event is NoEvent) { patterns.append(.event(event)) }
        }
        return patterns
    }

    /// What takes each event of a list.
    static func patterns(contentsOf events: [any TrackingEvent]) -> [EventPattern] { events.map { .event($0) } }
}
