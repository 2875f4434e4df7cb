public import EventLog
public import EventModel

extension Tracker {
    /// Sets the user of all later events. In effect when the method returns, in every process that uses the log; the user
    /// then survives the end of the process, and after ``flushToDisk()`` a power failure.
    ///
    /// An anonymous person and the user are one person: an answer of either is valid for both. If another user was
    /// identified, this is a ``reset()`` first. The present user again: changes nothing.
    ///
    /// - Parameter userID: 1 to 128 characters without control characters. Another value is reported as ``TrackingDiagnostic/userRejected``; later events
    ///   don't belong to the former user, who is signed out as by ``reset()``.
    /// - Returns: Whether the id is valid.
    @discardableResult
    public func identify(_ userID: String) -> Bool {
        process(.identify(userID))
        return Self.isValid(user: userID)
    }

    /// Signs the user out: sets a new device id, and starts a new session with the next event. The install stays the same.
    ///
    /// After a denial, events are dropped until the next person answers, because the same person may still use the device.
    /// Otherwise the policy applies. Events of an anonymous person that wait for an answer are removed, and counted as
    /// ``/EventLog/DropReason/unanswered``.
    public func reset() { process(.reset) }

    /// The identified user, also if another process has identified the user; nil for an anonymous person, and until the log
    /// is open, unless it waits for an answer.
    public var userID: String? { pipeline.sender.user }

    /// The consent to analytics in effect, and whether the present person has answered. Ask a person who has not.
    ///
    /// Before the identity is known, the consent is ``/EventLog/Consent/unknown``, unless the person has answered. Where
    /// nothing is stored before the answer, an answer that is stored is known once ``opened()`` has returned or thrown.
    public var consent: ConsentStatus { consent(for: .analytics) }

    /// The same for another purpose.
    public func consent(for purpose: Purpose) -> ConsentStatus { pipeline.sender.status(for: purpose) }

    /// Stores the answer of the present person. In effect immediately, in every process that uses the log; survives
    /// restarts. An answer that is given before the identity is known belongs to the person whom the identity turns out to
    /// be.
    ///
    /// After a denial, events of the purposes are dropped. Queued events that some sink has not received are removed, also
    /// those that the person sent before the user was identified. Dropped and removed events are counted in the ledger.
    /// Other users' events in the same log stay. An agreement delivers the events that were kept while the answer was
    /// unknown. It does not restore events that a denial has removed. Overlapping calls take effect in their order.
    ///
    /// - Parameter purposes: nil for all: a denial is then also for the purposes that the app adds later. An agreement is
    ///   for the purposes of the plan, `TrackingConfiguration.purposes`; without one, for those that the log knows. A
    ///   purpose that is added later counts as not answered.
    /// - Throws: ``/EventLog/EventLogError`` if the answer could not be stored, or not all events could be removed; the error
    ///   of ``opened()``. Call the method again. Even then, the answer is in effect until the process ends.
    public func setConsent(_ choice: ConsentChoice, for purposes: [Purpose]? = nil) async throws {
        let stored = Awaited<Void>()
        process(.consent(choice, for: purposes), stored: stored)
        try await stored.value
    }
}
