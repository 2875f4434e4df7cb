internal import TrackingCore

extension TrackingRecorder {
    func expectExactly(_ patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        let (events, drops) = withSteps { steps in
            let events = steps.unassertedEvents(from: start)
            // Also if they differ from the expected ones: each is reported once.
            steps.assert(events.map(\.location))
            steps.passOver(from: start)
            return (events, steps.drops(from: start))
        }
        let isMet =
            events.count == patterns.count
            && zip(patterns, events).allSatisfy { $0.matches($1.container) }
        guard !isMet else { return note(events, at: location) }
        let (missing, found) = Self.missing(patterns, in: events)
        if found.count == events.count, areExplained(missing, from: start) { return note(events, at: location) }
        let header =
            patterns.isEmpty
            ? "expected no events (+ fired):"
            : events.isEmpty
                ? "no events fired (- expected):" : "events differ (- expected, + fired):"
        report(header, patterns: patterns, events: events, drops: drops, at: location)
    }

    func expectSome(_ patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        // Conditions are test code, which may read the recorder: evaluate them without its lock.
        let (events, drops) = withSteps { ($0.unassertedEvents(from: start), $0.drops(from: start)) }
        let (missing, found) = Self.missing(patterns, in: events)
        withSteps { $0.assert(found.map(\.location)) }
        guard !missing.isEmpty, !areExplained(missing, from: start) else { return note(found, at: location) }
        report(
            "expected events are missing or out of order (- expected, + fired):", patterns: patterns, events: events,
            drops: drops,
            at: location)
    }

    /// - Parameter patterns: An event counts once, even if several patterns match.
    func expectCount(_ count: Int, of patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        let (all, drops) = withSteps { ($0.unassertedEvents(from: start), $0.drops(from: start)) }
        let events = all.filter { event in patterns.contains { $0.matches(event.container) } }
        withSteps { $0.assert(events.map(\.location)) }
        let missing = Array(repeating: Set(patterns.map { $0.type.name }), count: max(0, count - events.count))
        guard events.count > count || !areExplained(missing, from: start) else { return note(events, at: location) }
        // Show events of another type if their name is the expected one.
        let types = EventTypes(patterns, all.map(\.container))
        let shown = events + (events.count < count ? all.filter { types.isLookAlike($0.container, of: patterns) } : [])
        let lines = LineDiff.text(shown.map { "  + \(types.text(of: $0.container))" }, header: "\n")
        let fired = events.isEmpty ? "did not fire" : events.count == 1 ? "fired once" : "fired \(events.count) times"
        let wanted = count == 0 ? "not to fire" : count == 1 ? "to fire once" : "to fire \(count) times"
        let pattern = patterns.map(types.text).joined(separator: ", or ")
        fail(
            "expected \(pattern) \(wanted), but it \(fired)\(lines.isEmpty ? "" : ":" + lines)\(report(drops))",
            at: location)
    }

    func expectSteps(_ patterns: [StepPattern], from start: Int, at location: CodeLocation) {
        let steps = withSteps { steps in
            let unasserted = steps.unasserted(from: start)
            steps.assert(unasserted.map(\.location))
            return unasserted.filter { !$0.step.isDetail }
        }
        var rest = steps[...]
        let missing = patterns.filter { pattern in
            guard let next = rest.first, pattern.matches(next.step) else { return true }
            rest.removeFirst()
            return false
        }
        let isExplained =
            missing.allSatisfy { $0.eventName != nil }
            && areExplained(missing.map { [$0.eventName ?? ""] }, from: start)
        guard !rest.isEmpty || !isExplained else {
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
        fail("steps differ (- expected, + recorded):\n\(diff.text)", at: location)
    }

    func expectNothingElse(at location: CodeLocation) {
        let (texts, drop) = withSteps { steps in
            let rest = steps.rest()
            steps.assert(rest)
            return (DropText(steps: steps).texts(at: rest), rest.compactMap { steps.all[$0].dropPattern }.first)
        }
        guard !texts.isEmpty else { return }
        fail(
            "the test does not assert all that happened; add an expectation, call 'skipRecorded()', or create the "
                + "recorder with 'exhaustivity: .off':" + LineDiff.text(texts.map { "  + \($0)" }, header: "\n")
                + (drop.map { "\n  (to expect a drop, call expectSteps(\($0)))" } ?? ""), at: location)
    }

    /// The patterns without a match, if each matches the first possible event after the previous match, and the matched
    /// events.
    private static func missing(
        _ patterns: [EventPattern], in events: [(location: Int, container: TrackingContainer)]
    ) -> (patterns: [EventPattern], found: [(location: Int, container: TrackingContainer)]) {
        var missing: [EventPattern] = []
        var found: [(location: Int, container: TrackingContainer)] = []
        var rest = events[...]
        for pattern in patterns {
            guard let index = rest.firstIndex(where: { pattern.matches($0.container) }) else {
                missing.append(pattern)
                continue
            }
            found.append(rest[index])
            rest = rest[(index + 1)...]
        }
        return (missing, found)
    }

    /// Whether all missing events were dropped, and each drop has already failed the test: each cause is one failure.
    private func areExplained(_ missing: [Set<String>], from start: Int) -> Bool {
        withSteps { $0.explains(missing, from: start) }
    }

    private func areExplained(_ missing: [EventPattern], from start: Int) -> Bool {
        areExplained(missing.map { [$0.type.name] }, from: start)
    }

    private func report(
        _ header: String, patterns: [EventPattern], events: [(location: Int, container: TrackingContainer)],
        drops: [Int], at location: CodeLocation
    ) {
        let types = EventTypes(patterns, events.map(\.container))
        let fired = events.map { types.text(of: $0.container) }
        let diff = LineDiff(expected: patterns.map(types.text), actual: fired) {
            patterns[$0].matches(events[$1].container)
        }
        fail("\(header)\n\(diff.text)\(report(drops))", at: location)
    }

    /// The text of drops that may be the reason why an event is missing. This failure reports them; the recorder's
    /// final check does not.
    func report(_ drops: [Int]) -> String {
        guard !drops.isEmpty else { return "" }
        let texts = withSteps { steps in
            steps.report(drops)
            return DropText(steps: steps).texts(at: drops)
        }
        return LineDiff.text(texts.map { "    \($0)" }, header: "\ndropped, but not asserted:\n")
    }

    /// Adds the asserted events to the firing matrix.
    func note(_ events: [(location: Int, container: TrackingContainer)], at location: CodeLocation) {
        guard FiringMatrix.isWanted, !events.isEmpty else { return }
        let routes = withSteps { steps in events.map { steps.route(at: $0.location) } }
        for (event, route) in zip(events, routes) { FiringMatrix.add(event.container, route: route, at: location) }
    }
}
