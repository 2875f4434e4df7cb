internal import EventLog
public import EventModel
public import Testing
public import TrackingCore

// Events of people who have not answered, with `ConsentPolicy.required`.
extension TrackingRecorder {
    /// Expects that this event has fired, and now waits for the answer of its person. Asserts it.
    ///
    /// ```swift
    /// let tracker = Tracker.mock(recording: recorder, consent: .required)
    /// tracker.send(.launch)
    /// recorder.expectHeld(.launch)
    /// try await tracker.setConsent(.granted)
    /// recorder.expectReleased(.launch)
    /// ```
    ///
    /// An event that waits has its number and is in the log, but no sink receives it. You can expect this again for the
    /// same event, for instance after a sign-out.
    ///
    /// - Parameters:
    ///   - purpose: The purpose that the answer is missing for; nil for any.
    ///   - sender: Whose event is expected; nil for any.
    public func expectHeld(
        _ event: some TrackingEvent, for purpose: Purpose? = nil, by sender: EventSender? = nil,
        sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let location = CodeLocation(sourceLocation, fileID, filePath, line, column)
        if let purpose, purpose != type(of: event).purpose {
            return fail(
                "\(type(of: event).name) is collected for \(type(of: event).purpose), not for \(purpose): change its "
                    + "x-purpose, or expect it for \(type(of: event).purpose)", at: location)
        }
        expect(.held, .event(event), by: sender, at: location)
    }

    /// Expects that this event has waited, and may now be delivered because its person has agreed. Asserts it.
    ///
    /// - Parameter sender: Whose event is expected; nil for any.
    public func expectReleased(
        _ event: some TrackingEvent, by sender: EventSender? = nil, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expect(
            .released, .event(event), by: sender, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Fails the test if some of these events wait for an answer, or were removed while they did.
    func expectDelivery(of events: [EventStep], at location: CodeLocation) {
        let texts = events.compactMap { event -> String? in
            let state = state(of: event)
            return state.isDelivered ? nil : "    \(EventText.text(event.container)) \(state.text)"
        }
        guard !texts.isEmpty else { return }
        fail(
            LineDiff.text(
                texts,
                header:
                    "events fired, but are not delivered; call setConsent(.granted) first, or expectHeld(_:) for those "
                    + "that wait:\n"),
            at: location)
    }

    private func expect(
        _ wanted: HeldState, _ event: EventPattern, by sender: EventSender?, at location: CodeLocation
    ) {
        let pattern = sender.map(event.by) ?? event
        let events = withSteps { $0.events }.filter(event.matches)
        let theirs = events.filter(pattern.matches)
        // Prefers an event that no expectation has asserted.
        let states = (theirs.filter { !$0.isAsserted } + theirs.filter(\.isAsserted)).map { ($0, state(of: $0)) }
        guard let (event, state) = states.first(where: { $0.1 == wanted }) ?? states.first else {
            reportInvalidDrops(at: location)
            guard !areExplained([pattern], from: 0) else { return }
            let types = EventTypes([pattern], events)
            let others = LineDiff.text(events.map { "  + \(types.text(of: $0))" }, header: ":\n")
            return fail(
                "expected \(pattern) to \(wanted.wish), but it did not fire\(others)\(reportDrops(from: 0))",
                at: location)
        }
        withSteps { steps in
            steps.assert(CollectionOfOne(event.location))
            if state == .held { steps.hold(event.location) }
        }
        guard state != wanted else { return note([event], under: wanted.consent, at: location) }
        fail("expected \(pattern) to \(wanted.wish), but it \(state.text)", at: location)
    }

    private func state(of event: EventStep) -> HeldState {
        let rule = consentRule(of: event.container)
        if rule.isHolding { return .held }
        guard withSteps({ $0.held.contains(event.location) }) else { return .neverHeld }
        if let reason = rule.removalReason { return .removed(reason) }
        // A denial removes events, and a later agreement does not restore them.
        return log.records.contains { $0.id == event.container.id } ? .released : .removed(.optedOut)
    }
}

/// What has become of an event that may have waited for an answer.
private enum HeldState: Equatable {
    case held
    case released
    case neverHeld
    case removed(DropReason)

    var isDelivered: Bool { self == .released || self == .neverHeld }

    /// The consent of the person in this state.
    var consent: Consent { self == .held ? .unknown : .granted }

    /// What an expectation of this state wants.
    var wish: String { self == .held ? "wait for an answer" : "be released by an answer" }

    /// What the event does, after its name.
    var text: String {
        switch self {
        case .held: "still waits for an answer"
        case .released: "was released by an answer"
        case .neverHeld: "never waited"
        case .removed(.unanswered): "was removed because its person was signed out without an answer"
        case .removed: "was removed because its person has denied consent"
        }
    }
}
