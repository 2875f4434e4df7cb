public import EventLog
internal import Primitives

extension Tracker {
    /// Where former versions stored an opt-out; nothing is there while the user is opted in.
    static let optOutKey = "opted_out"

    /// Whether the user has opted out, here or in any other environment or process that uses the log.
    public var isOptedOut: Bool { pipeline.isOptedOut }

    /// What the user has said. ``Consent/unknown``, if nothing yet and the environment was made with
    /// ``ConsentPolicy/required``: events are kept then, and not delivered.
    public var consent: Consent { pipeline.consent }

    /// Opts the user out, or in again; it survives a restart, and holds for all environments and processes of the log.
    ///
    /// Opting out drops what is sent from now on, and removes the user's events that are queued and not delivered to all
    /// sinks, with those that were sent before there was a user, under the device's id; both are counted in the ledger.
    /// Other users' events in the same log stay. Opting in delivers what was kept while nothing was known, and brings
    /// nothing back of what an opt-out has removed.
    ///
    /// Calls that overlap take effect in the order in which they were made.
    ///
    /// - Throws: ``EventLogError`` if it could not be stored, or not everything removed: call it again. An opt-out holds
    ///   until this process ends nevertheless.
    // The steps of an opt-out, all in this file: `keepConsent` drops each event from then on, before anything is waited
    // for; the log stores it for the user, shows it to all processes, and removes what was not delivered; then the log
    // alone knows.
    public func setOptedOut(_ isOptedOut: Bool) async throws {
        let stored = answers.add {
            take(.optedOut(isOptedOut))
            return storing(isOptedOut ? .denied : .granted, of: pipeline.ownUserIDs)
        }
        try await stored.value
    }

    /// What of a choice happens before ``setOptedOut(_:)`` waits for anything.
    func keepConsent(isOptedOut: Bool) {
        let users = pipeline.ownUserIDs
        if isOptedOut { pipeline.refuse(for: users) } else { pipeline.forgetRefusal(nil, of: users) }
        if isOptedOut, let held = pipeline.held { pipeline.dropHeld(held.removeEvents(), .optedOut) }
    }

    /// Stores what users have said; then the log is asked, unless there is a newer answer.
    private func storing(_ consent: Consent, of users: [String]) -> @Sendable () async throws -> Void {
        let number = consent == .denied ? pipeline.refuse(for: users) : nil
        return {
            try await log.setConsent(consent, of: users)
            // Of a former version; the log is asked from now on.
            if pipeline.hasFormerOptOut.load(ordering: .relaxed) { store(nil, forKey: Self.optOutKey) }
            if let number { pipeline.forgetRefusal(number, of: users) }
        }
    }

    /// Brings an opt-out of a former version into the log.
    func migrateOptOut() async {
        let stored = answers.add { storing(.denied, of: pipeline.ownUserIDs) }
        do { try await stored.value } catch { diagnostics(.log(error)) }
    }

    /// Takes over for a user who is about to be the environment's what the one before has said: a refusal always, an
    /// agreement when somebody who was a stranger so far is identified. Before any event of that user is sent.
    ///
    /// - Parameter isSamePerson: Whether the former user was a device's id only, and is identified now.
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

    /// - Returns: What stores the new user's consent; nil if nothing is to be stored, or the log does it by itself.
    private func passConsent(of formerUser: String, to user: String, isSamePerson: Bool) -> Task<Void, any Error>? {
        // Whoever has said something before is taken at their word.
        guard log.consent(of: user) == nil else { return nil }
        let former = pipeline.consent(of: formerUser)
        // Until an agreement is stored, too: events are kept that long.
        if former != .denied, pipeline.requiresConsent { log.requireConsent(of: user) }
        guard former == .denied || (former == .granted && isSamePerson && pipeline.requiresConsent) else { return nil }
        return answers.add { storing(former, of: [user]) }
    }
}

/// What users have said, on its way into the log: stored in the order in which it was said.
final class ConsentAnswers: Sendable {
    private let last = Locked<Task<Void, any Error>?>(nil)

    /// Stores an answer after all those before it.
    ///
    /// - Parameter begin: What happens at once, while no other answer is taken; gives what is to be waited for.
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

/// What holds for a user who has not said anything.
public enum ConsentPolicy: Sendable {
    /// Events are delivered until the user opts out.
    case assumed
    /// Events are kept, and delivered once the user agrees.
    case required
}
