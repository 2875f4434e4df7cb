internal import EventLog
internal import EventModel

// Where nothing is stored before the answer.
extension SenderState {
    // MARK: Before the log is opened

    /// Opens the log if the present person allows to store anything.
    mutating func openIfNeeded() -> [Effect] {
        guard let unopened, needsLog(unopened) else { return [] }
        return open()
    }

    mutating func open() -> [Effect] {
        isOpening = true
        unopened = nil
        failure = nil
        return [.open]
    }

    /// The same, after an event of a purpose that may not be known yet.
    mutating func openIfNeeded(for event: HeldEvent) -> [Effect] {
        let purpose = event.kind.purpose
        guard let unopened, purpose == .exempt || unopened.rule(purpose, of: event.user?.id).mayDeliver else {
            return []
        }
        return purpose == .exempt ? openIfNeeded() : open()
    }

    /// Whether a log is needed that was not opened yet. A denial is stored in the log only for a person with an id, whose
    /// events it may have.
    private func needsLog(_ person: UnopenedPerson) -> Bool {
        person.needsLog(purposes, exempt: held.holdsExempt(by: person.initialUser))
            || held.hasAnswer && !person.isUnnamed
            || held.hasUserAnswer
    }

    /// Continues with the stored values of the present person.
    ///
    /// - Returns: The effects, and those who wait for the log in vain.
    mutating func found(_ stored: StoredPerson) -> (effects: [Effect], failed: [Awaited<Void>], failHeld: () -> Void) {
        // The log may have been needed while the values were read.
        guard phase == .opening, !isOpening else { return ([], [], {}) }
        let person = UnopenedPerson(setup, stored)
        let isFirst = unopened == nil
        calls = stored.calls
        var kept: [(call: SenderCall, stored: Awaited<Void>?)] = []
        for call in held.changes {
            kept.append((StoredCalls.stored(call, former: person.identity.userID), call.stored))
            person.perform(call)
        }
        unopened = person
        var effects = openIfNeeded()
        guard effects.isEmpty else { return (effects, [], {}) }
        if isFirst, person.isUnnamed {
            for (call, stored) in kept where calls.add(call) { effects.append(.storeCall(call, stored: stored)) }
        }
        if setup.policy.before == .nothing { effects.append(.dropHeld(held.removeEvents { _ in true }, .unanswered)) }
        failure = EventLogError.consentUnknown
        defer { waiters = [] }
        return (effects, waiters, held.failClaims(EventLogError.consentUnknown))
    }

    /// The rule for the present person as far as it is known.
    func heldRule(_ purpose: Purpose, of user: String?) -> ConsentRule {
        unopened?.rule(purpose, of: user) ?? ConsentRule(answer: held.answers(of: user)[purpose])
    }

    // MARK: Once the log is open

    /// Calls are no longer held.
    ///
    /// - Returns: Those who wait for the log.
    mutating func endHolding(_ sender: Sender) -> [Awaited<Void>] {
        phase = .open
        sender.stopHolding()
        defer { waiters = [] }
        return waiters
    }

    /// The bits of the purposes whose events are dropped, 0 to 14, and of those whose events wait in memory, 16 to 31; see
    /// ``EventKind/restrictionBits``.
    ///
    /// - Parameter user: nil for the present person.
    func restrictions(_ log: any EventStore, of user: String? = nil) -> Int {
        var bits = 0
        for (index, purpose) in purposes.enumerated() {
            switch rule(log, purpose, of: user).status.value {
            case .granted: break
            case .denied: bits |= 1 << index
            case .unknown: if setup.policy.storesNothingBefore { bits |= EventKind.waitingBit(1 << index) }
            }
        }
        if setup.policy.storesNothingBefore, exemptWaits(of: user ?? identity.person, log) {
            bits |= EventKind.exemptBit
        }
        return bits
    }

    /// Whether exempt events of a person wait: until the first answer, unless consent to a purpose is assumed.
    private func exemptWaits(of person: String, _ log: any EventStore) -> Bool {
        !purposes.contains { rule(log, $0, of: person).mayDeliver }
            && !([.analytics] + log.purposes).contains { rule(log, $0, of: person).status.isAnswered }
    }

    /// Adds an event that waits for an answer. Its session follows from its time.
    ///
    /// - Returns: Whether there was room; whether a session has started.
    mutating func wait(for event: HeldEvent) -> (hasRoom: Bool, startsSession: Bool) {
        if let user = event.user {
            return (waiting.add(WaitingEvent(held: event, person: user.id, sessionID: "")), false)
        }
        let former = session.sessionID
        unnamedSessions += 1
        let number = unnamedSessions
        let sessionID = session.session(at: event.time) { LogIdentity.unnamed(number) }
        let hasRoom = waiting.add(WaitingEvent(held: event, person: identity.person, sessionID: sessionID))
        if sessionID != former { envelopeContext = nil }
        return (hasRoom, sessionID != former)
    }

    /// Sends the events whose person has agreed, and drops those whose person has denied consent or can't answer any more. An
    /// id of the person is made when it is needed.
    mutating func settle(_ log: any EventStore) -> [Effect] {
        guard setup.policy.storesNothingBefore else { return draw(log) }
        var effects: [Effect] = []
        if identity.isUnnamed, purposes.contains(where: { rule(log, $0).mayDeliver }) { effects += draw(log) }
        effects += drops.reports().map(Effect.report)
        guard !waiting.isEmpty else { return effects }
        let now = self
        let abandoned = waiting.remove { now.reason(toRemove: $0, log) == .unanswered }
        let denied = waiting.remove { now.reason(toRemove: $0, log) != nil }
        let people = [identity.userID, identity.deviceID]
        if identity.isUnnamed,
            waiting.contains(where: { $0.held.user == nil && people.contains($0.person) && mayFlow($0, log) })
        {
            effects += draw(log)
        }
        effects += drawForSignedOut(log)
        let drawn = self
        var released = waiting.remove { !LogIdentity.isUnnamed($0.person) && drawn.mayFlow($0, log) }
        for index in released.indices where LogIdentity.isUnnamed(released[index].sessionID) {
            let id = released[index].sessionID
            let made = setup.ids.uuid()
            for later in released.indices[index...] where released[later].sessionID == id {
                released[later].sessionID = made
            }
            name(id, made)
        }
        if !abandoned.isEmpty { effects.append(.dropHeld(abandoned.map(\.held), .unanswered)) }
        if !denied.isEmpty { effects.append(.dropHeld(denied.map(\.held), .optedOut)) }
        if !released.isEmpty { effects.append(.release(released)) }
        return effects
    }

    private func reason(toRemove event: WaitingEvent, _ log: any EventStore) -> DropReason? {
        let purpose = event.held.kind.purpose
        return rule(log, purpose == .exempt ? .analytics : purpose, of: event.person).removalReason.flatMap { reason in
            purpose == .exempt && reason == .optedOut ? nil : reason
        }
    }

    private func mayFlow(_ event: WaitingEvent, _ log: any EventStore) -> Bool {
        let purpose = event.held.kind.purpose
        return purpose == .exempt
            ? !exemptWaits(of: event.person, log) : rule(log, purpose, of: event.person).mayDeliver
    }

    /// Makes the ids of former people who have none, and whose events may be sent: a user has agreed after a sign-out, or
    /// one answer is valid for everyone.
    private mutating func drawForSignedOut(_ log: any EventStore) -> [Effect] {
        var effects: [Effect] = []
        let now = self
        while let id = waiting.first(where: {
            LogIdentity.isUnnamed($0.person) && $0.person != now.identity.deviceID && now.mayFlow($0, log)
        })?.person {
            let made = setup.ids.uuid()
            if let user = signedOut.removeValue(forKey: id) {
                effects += note(.link(anonymous: made, user: user, setup.linkPolicy), log)
            }
            waiting.rename(person: id, to: made)
        }
        return effects
    }

    /// Makes the id of a person who has none, with the records of the person.
    mutating func draw(_ log: any EventStore) -> [Effect] {
        guard identity.isUnnamed else { return [] }
        let id = identity.deviceID
        let made = setup.ids.uuid()
        var effects: [Effect] = []
        if setup.scope == .person { effects += note(.link(anonymous: id, user: made, setup.policy), log) }
        if let user = identity.userID { effects += note(.link(anonymous: made, user: user, setup.linkPolicy), log) }
        identity.deviceID = made
        waiting.rename(person: id, to: made)
        return effects + publish(log) + [.device(made)]
    }

    /// The session of the next event, which is stored: a session without an id gets one.
    mutating func drawnSession(at time: EventTime) -> String {
        let ids = setup.ids
        let id = session.session(at: time) { ids.uuid() }
        guard LogIdentity.isUnnamed(id) else { return id }
        let made = ids.uuid()
        name(id, made)
        return made
    }

    private mutating func name(_ id: String, _ made: String) {
        waiting.rename(session: id, to: made)
        if session.sessionID == id { session.name(made) }
    }

    /// Follows another process to its identity. If that process has made the id of the present person, the waiting events
    /// have it, too.
    mutating func follow(_ shared: LogIdentity, _ log: any EventStore) -> [Effect] {
        let isSame =
            identity.isUnnamed && !shared.isUnnamed && shared.number == identity.number + 1
            && rule(log, .analytics).removalReason != .unanswered
        if isSame {
            waiting.rename(person: identity.deviceID, to: shared.deviceID)
            return []
        }
        _ = session.end()
        guard identity.isUnnamed else { return [] }
        // Their person's id is not known, and can't be asked for any more.
        let lost = waiting.remove { [id = identity.deviceID] in $0.person == id }
        return lost.isEmpty ? [] : [.dropHeld(lost.map(\.held), .unanswered)]
    }
}
