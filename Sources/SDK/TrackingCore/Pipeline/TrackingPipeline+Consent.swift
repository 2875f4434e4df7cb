internal import EventLog
internal import Primitives

// Whether the user has opted out.
extension TrackingPipeline {
    /// Looked at before an event is encoded, and looked up again before it is appended if anything has changed since: one
    /// load, as long as nobody's consent has changed.
    var isOptedOut: Bool {
        if logGeneration != consentGeneration.load(ordering: .relaxed) { lookUpConsent() }
        return optedOut.load(ordering: .acquiring)
    }

    /// Looks up what the log knows of this environment's user.
    func lookUpConsent() {
        // Before the consent is read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        sender.withLock { lookUpConsent(of: $0, generation) }
    }

    func lookUpConsent(of sender: Sender, _ generation: UInt64) {
        optedOut.store(consent(of: sender.userID, sender) == .denied, ordering: .releasing)
        consentGeneration.store(generation, ordering: .relaxed)
    }

    /// Notes that users have opted out: holds until ``forgetRefusal(_:of:)``, by when the log knows.
    ///
    /// - Returns: This answer's number.
    @discardableResult
    func refuse(for userIDs: [String]) -> UInt64 {
        defer { lookUpConsent() }
        return changeSender { sender in
            sender.lastRefusal += 1
            for userID in userIDs { sender.refusals[userID] = sender.lastRefusal }
            return sender.lastRefusal
        }
    }

    /// Leaves the answer to the log from now on.
    ///
    /// - Parameter number: The answer's; a later one stays. Nil for any.
    func forgetRefusal(_ number: UInt64?, of userIDs: [String]) {
        changeSender { sender in
            for userID in userIDs where number == nil || sender.refusals[userID] == number {
                sender.refusals[userID] = nil
            }
        }
        lookUpConsent()
    }

    /// What is known of the user.
    var consent: Consent { sender.withLock { sender in consent(of: sender.userID, sender) } }

    /// What is known of a user of this environment.
    func consent(of userID: String) -> Consent { sender.withLock { sender in consent(of: userID, sender) } }

    private func consent(of userID: String, _ sender: Sender) -> Consent {
        if sender.refusals[userID] != nil { return .denied }
        return log.consent(of: userID) ?? (requiresConsent ? .unknown : .granted)
    }
}
