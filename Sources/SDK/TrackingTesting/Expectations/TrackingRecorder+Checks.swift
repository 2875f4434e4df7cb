internal import TrackingCore

extension TrackingRecorder {
    var stepCount: Int { withSteps { $0.all.count } }

    func expectExactly(_ patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        let (events, drops) = withSteps { steps in
            let events = steps.unassertedEvents(from: start)
            // Also if they are others than expected: they are told once.
            steps.assert(events.map(\.location))
            steps.passOver(from: start)
            return (events, steps.drops(from: start))
        }
        let isMet =
            events.count == patterns.count
            && zip(patterns, events).allSatisfy { $0.matches($1.container) }
        guard !isMet else { return note(events, at: location) }
        let header =
            patterns.isEmpty
            ? "nothing was expected to fire (+ fired):"
            : events.isEmpty
                ? "nothing fired (- expected):" : "other events fired than expected (- expected, + fired):"
        report(header, patterns, events, drops, at: location)
    }

    func expectSome(_ patterns: [EventPattern], from start: Int = 0, at location: CodeLocation) {
        // Conditions are the test's code, which may read the recorder: they are asked without its lock.
        let (events, drops) = withSteps { ($0.unassertedEvents(from: start), $0.drops(from: start)) }
        var found: [(location: Int, container: TrackingContainer)] = []
        var rest = events[...]
        for pattern in patterns {
            guard let index = rest.firstIndex(where: { pattern.matches($0.container) }) else { break }
            found.append(rest[index])
            rest = rest[(index + 1)...]
        }
        withSteps { $0.assert(found.map(\.location)) }
        guard found.count < patterns.count else { return note(found, at: location) }
        report(
            "expected events did not fire, or in another order (- expected, + fired):", patterns, events, drops,
            at: location)
    }

    /// - Parameter patterns: An event counts once, however many of them take it.
    func expectCount(_ count: Int, of patterns: [EventPattern], from start: Int = 0, at location: CodeLocation) {
        let (all, drops) = withSteps { ($0.unassertedEvents(from: start), $0.drops(from: start)) }
        let events = all.filter { event in patterns.contains { $0.matches(event.container) } }
        withSteps { $0.assert(events.map(\.location)) }
        guard events.count != count else { return note(events, at: location) }
        // Events of another type are shown where their name is the expected one.
        let types = EventTypes(patterns, all.map(\.container))
        let shown = events + (events.count < count ? all.filter { types.isLookAlike($0.container, of: patterns) } : [])
        let lines = LineDiff.text(shown.map { "  + \(types.text(of: $0.container))" }, header: "\n")
        let fired = events.isEmpty ? "did not fire" : events.count == 1 ? "fired once" : "fired \(events.count) times"
        let wanted = count == 0 ? "not to fire" : count == 1 ? "to fire once" : "to fire \(count) times"
        let pattern = patterns.map(types.text).joined(separator: ", or ")
        fail(
            "\(pattern) was expected \(wanted), and \(fired)\(lines.isEmpty ? "" : ":" + lines)\(Self.text(drops))",
            at: location)
    }

    func expectSteps(_ patterns: [StepPattern], from start: Int, at location: CodeLocation) {
        let steps = withSteps { steps in
            let unasserted = steps.unasserted(from: start)
            steps.assert(unasserted.map(\.location))
            return unasserted.filter { !$0.step.isDetail }
        }
        let isMet = steps.count == patterns.count && zip(patterns, steps).allSatisfy { $0.matches($1.step) }
        guard !isMet else {
            return note(
                steps.compactMap { location, step in if case .event(let one) = step { (location, one) } else { nil } },
                at: location)
        }
        let types = EventTypes(
            patterns.compactMap(\.event),
            steps.compactMap { if case .event(let container) = $0.step { container } else { nil } })
        let taken = steps.map {
            if case .event(let container) = $0.step { types.text(of: container) } else { "\($0.step)" }
        }
        let expected = patterns.map { pattern in pattern.event.map(types.text) ?? pattern.description }
        let diff = LineDiff(expected: expected, actual: taken) {
            patterns[$0].matches(steps[$1].step)
        }
        fail("other steps were taken than expected (- expected, + taken):\n\(diff.text)", at: location)
    }

    func expectNothingElse(at location: CodeLocation) {
        let rest = withSteps { steps in
            let rest = steps.unasserted().filter { $0.step.needsAssertion }
            steps.assert(rest.map(\.location))
            return rest.map { location, step in (text: steps.text(at: location), dropPattern: step.dropPattern) }
        }
        guard !rest.isEmpty else { return }
        let drop = rest.compactMap(\.dropPattern).first
        fail(
            "no expectation of the test asserts what happened; add one, pass over it with 'skipRecorded()', or make the "
                + "recorder with 'exhaustivity: .off':" + LineDiff.text(rest.map { "  + \($0.text)" }, header: "\n")
                + (drop.map { "\n  (a drop is expected by expectSteps(\($0)))" } ?? ""), at: location)
    }

    private func report(
        _ header: String, _ patterns: [EventPattern], _ events: [(location: Int, container: TrackingContainer)],
        _ drops: [RecordedDrop], at location: CodeLocation
    ) {
        let types = EventTypes(patterns, events.map(\.container))
        let fired = events.map { types.text(of: $0.container) }
        let diff = LineDiff(expected: patterns.map(types.text), actual: fired) {
            patterns[$0].matches(events[$1].container)
        }
        fail("\(header)\n\(diff.text)\(Self.text(drops))", at: location)
    }

    /// What was dropped, which may be why an event is missing.
    private static func text(_ drops: [RecordedDrop]) -> String {
        LineDiff.text(drops.map { "    \($0.text)" }, header: "\ndropped, and not asserted:\n")
            + (drops.contains { $0.reason == .runaway }
                ? "\n  (too many at one time are taken for a loop gone wild: advance the recorder's clock)" : "")
    }

    /// Tells the matrix of what an expectation has asserted.
    func note(_ events: [(location: Int, container: TrackingContainer)], at location: CodeLocation) {
        guard FiringMatrix.isWanted, !events.isEmpty else { return }
        let routes = withSteps { steps in events.map { steps.route(at: $0.location) } }
        for (event, route) in zip(events, routes) { FiringMatrix.add(event.container, route: route, at: location) }
    }
}
