internal import TrackingCore

extension TrackingRecorder {
    func expectExactly(_ patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        let events = withSteps { steps in
            let events = steps.unassertedEvents(from: start)
            // Also if they differ from the expected ones: each is reported once.
            steps.assert(events.map(\.location))
            steps.passOver(from: start)
            return events
        }
        let isMet = events.count == patterns.count && zip(patterns, events).allSatisfy { $0.matches($1) }
        guard !isMet else { return accept(events, at: location) }
        reportInvalidDrops(from: start, at: location)
        let (missing, found) = Self.missing(patterns, in: events)
        if found.count == events.count, areExplained(missing, from: start) { return accept(events, at: location) }
        let header =
            patterns.isEmpty
            ? "expected no events (+ fired):"
            : events.isEmpty
                ? "no events fired (- expected):" : "events differ (- expected, + fired):"
        report(header, patterns: patterns, events: events, from: start, at: location)
    }

    func expectSome(_ patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        // Conditions are test code, which may read the recorder: evaluate them without its lock.
        let events = withSteps { $0.unassertedEvents(from: start) }
        let (missing, found) = Self.missing(patterns, in: events)
        withSteps { $0.assert(found.map(\.location)) }
        if !missing.isEmpty { reportInvalidDrops(from: start, at: location) }
        guard !missing.isEmpty, !areExplained(missing, from: start) else { return accept(found, at: location) }
        report(
            "expected events are missing or out of order (- expected, + fired):", patterns: patterns, events: events,
            from: start, at: location)
    }

    /// - Parameter patterns: An event counts once, even if several patterns match.
    func expectCount(_ count: Int, of patterns: [EventPattern], from start: Int, at location: CodeLocation) {
        let all = withSteps { $0.unassertedEvents(from: start) }
        let events = all.filter { event in patterns.contains { $0.matches(event) } }
        withSteps { $0.assert(events.map(\.location)) }
        let missing = Array(repeating: Set(patterns.map { $0.type.name }), count: max(0, count - events.count))
        if !missing.isEmpty { reportInvalidDrops(from: start, at: location) }
        guard events.count > count || !areExplained(missing, from: start) else { return accept(events, at: location) }
        // Show events of another type or sender if their name is the expected one.
        let types = EventTypes(patterns, all)
        let others = events.count < count ? all.filter { types.isLookAlike($0, of: patterns) } : []
        let shown = events + others.filter { other in !events.contains { $0.location == other.location } }
        let lines = LineDiff.text(shown.map { "  + \(types.text(of: $0))" }, header: "\n")
        let fired = events.isEmpty ? "did not fire" : events.count == 1 ? "fired once" : "fired \(events.count) times"
        let wanted = count == 0 ? "not to fire" : count == 1 ? "to fire once" : "to fire \(count) times"
        let pattern = patterns.map(types.text).joined(separator: ", or ")
        fail(
            "expected \(pattern) \(wanted), but it \(fired)\(lines.isEmpty ? "" : ":" + lines)\(reportDrops(from: start))",
            at: location)
    }

    func expectSteps(_ patterns: [StepPattern], from start: Int, at location: CodeLocation) {
        reportInvalidDrops(from: start, at: location) { drop in patterns.contains { $0.matches(drop, nil) } }
        let steps = withSteps { steps in
            let unasserted = steps.unasserted(from: start)
            steps.assert(unasserted.map(\.location))
            return unasserted.filter { !$0.step.isDetail }
        }
        var rest = steps[...]
        let missing = patterns.filter { pattern in
            guard let next = rest.first, pattern.matches(next.step, next.event) else { return true }
            rest.removeFirst()
            return false
        }
        let isExplained =
            missing.allSatisfy { $0.eventName != nil }
            && areExplained(missing.map { [$0.eventName ?? ""] }, from: start)
        let events = steps.compactMap(\.event)
        guard !rest.isEmpty || !isExplained else { return note(events, at: location) }
        let types = EventTypes(patterns.compactMap(\.event), events)
        let taken = steps.map { $0.event.map(types.text) ?? "\($0.step)" }
        let expected = patterns.map { pattern in pattern.event.map(types.text) ?? pattern.description }
        let diff = LineDiff(expected: expected, actual: taken) {
            patterns[$0].matches(steps[$1].step, steps[$1].event)
        }
        fail("steps differ (- expected, + recorded):\n\(diff.text)", at: location)
    }

    func expectNothingElse(at location: CodeLocation) {
        reportInvalidDrops(at: location)
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
        _ patterns: [EventPattern], in events: [EventStep]
    ) -> (patterns: [EventPattern], found: [EventStep]) {
        var missing: [EventPattern] = []
        var found: [EventStep] = []
        var rest = events[...]
        for pattern in patterns {
            guard let index = rest.firstIndex(where: { pattern.matches($0) }) else {
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

    func areExplained(_ missing: [EventPattern], from start: Int) -> Bool {
        areExplained(missing.map { [$0.type.name] }, from: start)
    }

    private func report(
        _ header: String, patterns: [EventPattern], events: [EventStep], from start: Int, at location: CodeLocation
    ) {
        let types = EventTypes(patterns, events)
        let diff = LineDiff(expected: patterns.map(types.text), actual: events.map(types.text)) {
            patterns[$0].matches(events[$1])
        }
        fail("\(header)\n\(diff.text)\(reportDrops(from: start))", at: location)
    }

    /// The text of unasserted drops that may be the reason why an event is missing. This failure reports them; the
    /// recorder's final check does not.
    func reportDrops(from start: Int) -> String {
        let texts = withSteps { steps in
            let drops = steps.drops(from: start)
            steps.report(drops)
            return DropText(steps: steps).texts(at: drops)
        }
        return LineDiff.text(texts.map { "    \($0)" }, header: "\ndropped, but not asserted:\n")
    }

    /// Fails the test for each drop at a limit of a validated schema, starting at a step, unless it is expected.
    func reportInvalidDrops(
        from start: Int = 0, at location: CodeLocation, unless isExpected: (RecordedStep) -> Bool = { _ in false }
    ) {
        // Conditions are test code, which may read the recorder: evaluate them without its lock.
        for drop in withSteps({ $0.invalidDrops(from: start) }) where !isExpected(drop.step) {
            guard case .diagnostic(.dropped(let name, _)) = drop.step else { continue }
            let limit = withSteps { $0.assert(dropOf: name, at: drop.location) }
            fail(
                "event \(name) was dropped: \(limit.map { "\($0)" } ?? "it violates a limit of its schema"); send a value "
                    + "within the limit, or change the schema", at: location)
        }
    }

    /// Adds the asserted events to the firing matrix, and fails the test if some of them are not delivered.
    private func accept(_ events: [EventStep], at location: CodeLocation) {
        note(events, at: location)
        expectDelivery(of: events, at: location)
    }

    /// Adds the asserted events to the firing matrix.
    ///
    /// - Parameter consent: The consent under which they are asserted; nil for that at the time when each fired.
    func note(_ events: [EventStep], under consent: Consent? = nil, at location: CodeLocation) {
        guard FiringMatrix.isWanted, !events.isEmpty else { return }
        for entry in matrixEntries(of: events, under: consent, at: location) { FiringMatrix.add(entry, at: location) }
    }

    func matrixEntries(of events: [EventStep], under consent: Consent? = nil, at location: CodeLocation) -> [JSONValue]
    {
        let routes = withSteps { steps in events.map { steps.route(at: $0.location) } }
        return zip(events, routes).map { event, route in
            FiringMatrix.entry(event.container, under: consent ?? event.consent, route: route, at: location)
        }
    }
}
