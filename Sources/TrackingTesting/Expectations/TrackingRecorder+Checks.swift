internal import Tracking

extension TrackingRecorder {
    var stepCount: Int { withSteps { $0.all.count } }

    func expectExactly(_ patterns: [EventPattern], from start: Int, at place: SourcePlace) {
        let events = withSteps { steps in
            let events = steps.unassertedEvents(from: start)
            // Also if they are others than expected: they are told once.
            steps.assert(events.map(\.place))
            return events
        }
        let isMet =
            events.count == patterns.count
            && zip(patterns, events).allSatisfy { $0.matches($1.container) }
        guard !isMet else { return note(events, at: place) }
        let header =
            patterns.isEmpty
            ? "nothing was expected to fire (+ fired):"
            : events.isEmpty
                ? "nothing fired (- expected):" : "other events fired than expected (- expected, + fired):"
        report(header, patterns, events, at: place)
    }

    func expectSome(_ patterns: [EventPattern], at place: SourcePlace) {
        let (events, found) = withSteps { steps in
            let events = steps.unassertedEvents()
            var found: [(place: Int, container: TrackingContainer)] = []
            var rest = events[...]
            for pattern in patterns {
                guard let index = rest.firstIndex(where: { pattern.matches($0.container) }) else { break }
                found.append(rest[index])
                rest = rest[(index + 1)...]
            }
            steps.assert(found.map(\.place))
            return (events, found)
        }
        guard found.count < patterns.count else { return note(found, at: place) }
        report("expected events did not fire, or in another order (- expected, + fired):", patterns, events, at: place)
    }

    func expectCount(_ count: Int, of pattern: EventPattern, at place: SourcePlace) {
        let events = withSteps { steps in
            let events = steps.unassertedEvents().filter { pattern.matches($0.container) }
            steps.assert(events.map(\.place))
            return events
        }
        guard events.count != count else { return note(events, at: place) }
        let lines = events.map { "\n  + \(FiredEvent(container: $0.container))" }.joined()
        let fired = events.isEmpty ? "did not fire" : events.count == 1 ? "fired once" : "fired \(events.count) times"
        let wanted = count == 0 ? "not to fire" : count == 1 ? "to fire once" : "to fire \(count) times"
        TestFailure.report(
            "\(pattern) was expected \(wanted), and \(fired)\(lines.isEmpty ? "" : ":" + lines)", at: place)
    }

    func expectSteps(_ patterns: [StepPattern], at place: SourcePlace) {
        let steps = withSteps { steps in
            let unasserted = steps.unasserted()
            steps.assert(unasserted.map(\.place))
            return unasserted
        }
        let isMet = steps.count == patterns.count && zip(patterns, steps).allSatisfy { $0.matches($1.step) }
        guard !isMet else {
            return note(
                steps.compactMap { place, step in if case .event(let one) = step { (place, one) } else { nil } },
                at: place)
        }
        let diff = LineDiff(expected: patterns.map(\.description), actual: steps.map(\.step.description)) {
            patterns[$0].matches(steps[$1].step)
        }
        TestFailure.report("other steps were taken than expected (- expected, + taken):\n\(diff.text)", at: place)
    }

    func expectNothingElse(at place: SourcePlace) {
        let lines = withSteps { steps in
            let rest = steps.unasserted().filter { $0.step.needsAssertion }
            steps.assert(rest.map(\.place))
            return rest.map { "\n  + \($0.step)" }
        }
        guard !lines.isEmpty else { return }
        TestFailure.report(
            "no expectation of the test asserts what happened; add one, or make the recorder with 'exhaustivity: .off':"
                + lines.joined(), at: place)
    }

    private func report(
        _ header: String, _ patterns: [EventPattern], _ events: [(place: Int, container: TrackingContainer)],
        at place: SourcePlace
    ) {
        let fired = events.map { FiredEvent(container: $0.container).description }
        let diff = LineDiff(expected: patterns.map(\.description), actual: fired) {
            patterns[$0].matches(events[$1].container)
        }
        TestFailure.report("\(header)\n\(diff.text)", at: place)
    }

    /// Tells the matrix of what an expectation has asserted.
    private func note(_ events: [(place: Int, container: TrackingContainer)], at place: SourcePlace) {
        guard FiringMatrix.isWanted, !events.isEmpty else { return }
        let routes = withSteps { steps in events.map { steps.route(at: $0.place) } }
        for (event, route) in zip(events, routes) { FiringMatrix.add(event.container, route: route, at: place) }
    }
}

extension RecordedStep {
    /// Whether a test that does not assert it lets something slip.
    fileprivate var needsAssertion: Bool {
        switch self {
        case .event, .diagnostic(.dropped): true
        default: false
        }
    }
}
