import CrashSupport

/// What the senders' journals have about a user.
struct PersonRecord: Sendable {
    /// What `send` returned.
    enum Outcome: Equatable {
        case interrupted, dropped, pending
        case numbered(Int64)
    }

    enum Consent { case granted, denied, inDoubt }

    enum Erasure {
        case none
        /// The call has not returned, or has thrown an error.
        case begun
        case returned
    }

    struct Event: Sendable {
        var outcome = Outcome.interrupted
        /// The consent that the calls before the event have set.
        let consent: Consent
        /// Whether a denial has begun after the event.
        var isBeforeDenial = false
    }

    /// What must be true of an event at the end.
    enum Expectation {
        /// It is stored once at each stage.
        case stored
        /// It may be stored or not: the call was interrupted, or an answer decides.
        case open
        /// It is in no file.
        case nowhere
    }

    private(set) var events: [PersonMarker: Event] = [:]
    private(set) var consent = Consent.granted
    private(set) var wasDenied = false
    private(set) var erasure = Erasure.none

    func expectation(of marker: PersonMarker) -> Expectation? {
        guard let event = events[marker] else { return nil }
        if erasure != .none || event.consent == .denied { return .nowhere }
        if case .numbered = event.outcome, event.consent == .granted, !event.isBeforeDenial { return .stored }
        return .open
    }

    mutating func began(_ call: Substring) {
        switch call {
        case "erase": erasure = .begun
        case "denied":
            wasDenied = true
            consent = .inDoubt
            for marker in events.keys { events[marker]?.isBeforeDenial = true }
        // Without a denial, an agreement changes nothing.
        default: if consent != .granted { consent = .inDoubt }
        }
    }

    mutating func returned(_ call: Substring) {
        switch call {
        case "erase": erasure = .returned
        case "denied": consent = .denied
        default: consent = .granted
        }
    }

    mutating func began(sending marker: PersonMarker) { events[marker] = Event(consent: consent) }

    mutating func sent(_ marker: PersonMarker, _ outcome: Outcome) { events[marker]?.outcome = outcome }
}
