internal import EventLog
internal import Primitives

// Whether the user has opted out.
extension TrackingPipeline {
    /// Checked before an event is encoded, and checked again before it is appended if anything has changed since. Takes
    /// one atomic load as long as no consent has changed.
    var isOptedOut: Bool {
        if logGeneration != consentGeneration.load(ordering: .relaxed) { lookUpConsent() }
        return optedOut.load(ordering: .acquiring)
    }

    /// Reads the consent of this environment's user from the log.
    func lookUpConsent() {
        // Before the consent is read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        sender.withLock { lookUpConsent(of: $0, generation) }
    }

    func lookUpConsent(of sender: Sender, _ generation: UInt64) {
        optedOut.store(consent(of: sender.userID, sender) == .denied, ordering: .releasing)
        consentGeneration.store(generation, ordering: .relaxed)
    }

    /// Records that users have opted out. In effect until ``forgetRefusal(_:of:)``, which is called once the log has
    /// stored it.
    ///
    /// - Returns: The number of this answer.
    @discardableResult
    func refuse(for userIDs: [String]) -> UInt64 {
        defer { lookUpConsent() }
        return changeSender { sender in
            sender.lastRefusal += 1
            for userID in userIDs { sender.refusals[userID] = sender.lastRefusal }
            return sender.lastRefusal
        }
    }

    /// Reads the consent from the log again from now on.
    ///
    /// - Parameter number: The number of the answer; a later answer stays. Nil for any.
    func forgetRefusal(_ number: UInt64?, of userIDs: [String]) {
        changeSender { sender in
            for userID in userIDs where number == nil || sender.refusals[userID] == number {
                sender.refusals[userID] = nil
            }
        }
        lookUpConsent()
    }

    /// The known consent of the user.
    var consent: Consent { sender.withLock { sender in consent(of: sender.userID, sender) } }

    /// The known consent of a user of this environment.
    func consent(of userID: String) -> Consent { sender.withLock { sender in consent(of: userID, sender) } }

    private func consent(of userID: String, _ sender: Sender) -> Consent {
        if sender.refusals[userID] != nil { return .denied }
        return log.consent(of: userID) ?? (requiresConsent ? .unknown : .granted)
    }
}
