public import EventLog
internal import Primitives

extension Tracker {
    /// Whether the user has opted out, in any environment or process that uses the log.
    public var isOptedOut: Bool { pipeline.isOptedOut }

    /// The user's answer. With ``ConsentPolicy/required``, it is ``/EventLog/Consent/unknown`` until the user answers: events are
    /// then kept and not delivered.
    public var consent: Consent { pipeline.consent }

    /// Opts the user out or in. The choice survives restarts and applies to all environments and processes of the log.
    ///
    /// After an opt-out, events of the user are dropped. Queued events that some sink has not received are removed. So
    /// are the events that have the device's id because they were sent before the user was identified. Dropped and
    /// removed events are counted in the ledger. Other users' events in the same log stay. An opt-in delivers the
    /// events that were kept while the answer was unknown. It does not restore events that an opt-out has removed.
    ///
    /// Overlapping calls take effect in the order in which they were made.
    ///
    /// - Throws: ``/EventLog/EventLogError`` if the choice could not be stored, or not all events could be removed.
    ///   Call the method again. Even then, an opt-out is in effect until the process ends.
    // The steps of an opt-out, all in this file: `keepConsent` drops new events immediately. Then the log stores the
    // answer, shares it with all processes, and removes the undelivered events. From then on, the log alone has the
    // answer.
    public func setOptedOut(_ isOptedOut: Bool) async throws {
        let stored = answers.add {
            process(.optedOut(isOptedOut))
            return storing(isOptedOut ? .denied : .granted, of: pipeline.ownUserIDs)
        }
        try await stored.value
    }

    /// Performs the part of a choice that takes effect before ``setOptedOut(_:)`` waits.
    func keepConsent(isOptedOut: Bool) {
        let users = pipeline.ownUserIDs
        if isOptedOut { pipeline.refuse(for: users) } else { pipeline.forgetRefusal(nil, of: users) }
        if isOptedOut, let held = pipeline.held { pipeline.dropHeld(held.removeEvents(), .optedOut) }
    }

    /// Stores the answer of users. Then the log is the source, unless there is a newer answer.
    private func storing(_ consent: Consent, of users: [String]) -> @Sendable () async throws -> Void {
        let number = consent == .denied ? pipeline.refuse(for: users) : nil
        return {
            try await log.setConsent(consent, of: users)
            if let number { pipeline.forgetRefusal(number, of: users) }
        }
    }

    /// Repeats the steps of a stored opt-out, because the process may have ended before all events were removed.
    func repeatOptOut() async {
        let stored = answers.add { storing(.denied, of: pipeline.ownUserIDs) }
        do { try await stored.value } catch { diagnostics(.log(error)) }
    }

    /// Applies the previous user's answer to the next user of the environment: always an opt-out; an agreement only if
    /// a previously unknown user is identified. Call it before any event of the new user is sent.
    ///
    /// - Parameter isSamePerson: Whether the previous user was only a device's id, and is identified now.
    func passConsentOn(to user: String, isSamePerson: Bool) {
        let former = pipeline.ownUserIDs[0]
        // Before the log is open, no user's consent is known.
        let isHeld = pipeline.held?.atOpening {
            let (former, isSamePerson) = pipeline.identity(of: former, isDevice: isSamePerson)
            guard let stored = passConsent(of: former, to: user, isSamePerson: isSamePerson) else { return }
            do { try await stored.value } catch { diagnostics(.log(error)) }
        }
        guard isHeld != true, let stored = passConsent(of: former, to: user, isSamePerson: isSamePerson) else { return }
        Task { do { try await stored.value } catch { diagnostics(.log(error)) } }
    }

    /// - Returns: The task that stores the new user's consent; nil if nothing is to be stored, or the log does so
    ///   itself.
    private func passConsent(of formerUser: String, to user: String, isSamePerson: Bool) -> Task<Void, any Error>? {
        // A user's own earlier answer takes precedence.
        guard log.consent(of: user) == nil else { return nil }
        let former = pipeline.consent(of: formerUser)
        // Also until an agreement is stored: events are kept until then.
        if former != .denied, pipeline.requiresConsent { log.requireConsent(of: user) }
        guard former == .denied || (former == .granted && isSamePerson && pipeline.requiresConsent) else { return nil }
        return answers.add { storing(former, of: [user]) }
    }
}

/// The answers of users that are being stored in the log, in the order in which they were given.
final class ConsentAnswers: Sendable {
    private let last = Locked<Task<Void, any Error>?>(nil)

    /// Stores an answer after all earlier ones.
    ///
    /// - Parameter begin: Performs the immediate part, while no other answer is accepted. Returns the asynchronous
    ///   part.
    func add(_ begin: () -> @Sendable () async throws -> Void) -> Task<Void, any Error> {
        last.withLock { last in
            let (before, store) = (last, begin())
            let task = Task {
                _ = await before?.result
                try await store()
            }
            last = task
            return task
        }
    }
}

/// The default for users who have not answered yet.
public enum ConsentPolicy: Sendable {
    /// Events are delivered until the user opts out.
    case assumed
    /// Events are kept, and delivered once the user agrees.
    case required
}
