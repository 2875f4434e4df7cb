internal import EventLog
internal import Foundation
internal import Primitives

// Where nothing is stored before the answer; see ``SenderState/wait(for:)``.
extension Sender {
    // MARK: Before the log is opened

    /// Performs what a former process has stored for a person without an id. The calls of this one are held.
    ///
    /// - Parameter isNew: Whether the person's identity was made now: a policy that stores events makes the id first.
    /// - Returns: Whether there are stored calls; see ``forgetStoredCalls()``.
    /// - Throws: The storage's error. The next opening then performs the calls.
    func performStoredCalls(isNew: Bool) throws -> Bool {
        // Behind a write that has begun.
        let (_, calls) = try store.queue.sync { try store.peek() }
        guard !calls.isEmpty else { return false }
        let known = state.withLock { $0.held.changes }
        for call in calls.all(except: known) {
            run(state.withLock { state in isNew || state.identity.isUnnamed ? perform(call, in: &state) : [] })
        }
        return true
    }

    /// Removes the calls from the storage once the log has them.
    ///
    /// - Throws: The storage's error. The next opening then performs the calls again.
    func forgetStoredCalls() throws {
        BlockedThread.wait { await self.storeConsents() }
        try store.queue.sync { try store.storeCall(nil) }
        state.withLock { $0.calls = StoredCalls() }
    }

    /// Reads the stored values of the present person without creating or changing anything, and opens the log if it is
    /// needed. Blocks the thread.
    func look(_ consent: @escaping @Sendable () throws -> UnopenedConsent, _ setup: TrackerSetup) {
        guard state.withLock({ $0.phase == .opening }), opening.withLock({ $0 != nil }) else { return }
        let stored = setup.retry {
            let (values, calls) = try store.peek()
            let consent = try read(consent)
            // The log's may be newer than the storage's, after a kill.
            var identity = LogIdentity(
                deviceID: values.deviceID ?? setup.newDevice(after: values), userID: values.userID,
                endedSession: values.endedSession, number: values.number)
            if setup.sharesIdentity, let newest = consent.identity, newest.number > identity.number {
                identity = newest
            }
            return StoredPerson(identity: identity, consent: consent, calls: calls)
        } report: { error, isFirst in
            if attemptFailed(error), isFirst { diagnostics(.storage(error)) }
        }
        let (effects, failed, failHeld) = state.withLock { $0.found(stored) }
        for waiter in failed { waiter.settle(.failure(EventLogError.consentUnknown)) }
        failHeld()
        run(effects)
    }

    /// A damaged log is unreadable: opening it repairs it.
    ///
    /// - Throws: An error that goes away when the device is unlocked.
    private func read(_ consent: () throws -> UnopenedConsent) throws -> UnopenedConsent {
        do { return try consent() } catch {
            guard !passesWhenUnlocked(error) else { throw error }
            diagnostics(.log(error))
            return .unreadable
        }
    }

    /// Looks for an answer that another process has stored, as long as the log is not opened. Calls wait for that.
    func lookAgain() {
        guard isHolding, let look = opening.withLock({ $0?.look }) else { return }
        state.withLock { if $0.unopened != nil { $0.failure = nil } }
        look()
    }

    // MARK: Once the log is open

    /// Lets an event wait for an answer while the log is open; see ``ConsentPolicy/Waiting/memory``. Its claim fails
    /// immediately.
    func wait(for event: HeldEvent) -> Outcome {
        let log = log.current
        let generation = log.consentGeneration
        let (outcome, effects): (Outcome, [SenderState.Effect]) = state.withLock { state in
            let effects = state.refresh(log) + state.settle(log)
            lookUpConsent(state, log, at: generation)
            // The person may have answered meanwhile.
            guard
                state.restrictions(log, of: event.user?.id) & event.kind.restrictionBits & EventKind.waitingBits != 0
            else {
                return (.passed, effects)
            }
            guard !state.setup.isOnlyCounted(event.kind.purpose) else { return (.dropped(.unanswered), effects) }
            let (hasRoom, startsSession) = state.wait(for: event)
            if startsSession { changes.wrappingAdd(1, ordering: .releasing) }
            return (hasRoom ? .held : .dropped(.unanswered), effects)
        }
        run(effects)
        if case .passed = outcome { return outcome }
        event.claim?.settle(.failure(EventLogError.consentUnknown))
        return outcome
    }

    /// Drops the events that wait for an answer, before the log is closed. A log that is not opened is then closed for good.
    ///
    /// - Returns: Whether there is a log to close.
    func dropUnanswered() -> Bool {
        let (events, isOpen) = state.withLock { state in
            let waiting = state.waiting.remove { _ in true }.map(\.held)
            guard state.unopened != nil else { return (waiting, true) }
            opening.withLock { $0 = nil }
            state.unopened = nil
            log.set(ClosedEventStore(.closed))
            let held = state.held.removeAll().compactMap(\.event)
            _ = state.endHolding(self)
            return (waiting + held, false)
        }
        run([.dropHeld(events, .unanswered)])
        for report in state.withLock({ $0.drops.reports() }) { diagnostics(report) }
        return isOpen
    }

    /// Drops the events of a person that wait in memory for an answer.
    ///
    /// - Parameter people: The person's ids.
    func drop(waitingOf people: Set<String>) {
        let events = state.withLock { state in
            let people = people.union(state.signedOut.filter { people.contains($0.value) }.keys)
            return state.waiting.remove { people.contains($0.person) }.map(\.held)
                + state.held.removeEvents(of: people, from: state.unopened?.initialUser)
        }
        run([.dropHeld(events, .erased)])
    }

    /// Forgets the session that a reset has ended, once no event can continue it.
    ///
    /// - Parameter people: The ids of a person whose events are erased.
    func forgetEndedSession(of people: [String?]) {
        let log = log.current
        run(state.withLock { $0.forgetEndedSession(of: people, log) })
    }

    /// Opens a log that is not opened before it is needed, if there is one.
    ///
    /// - Returns: Whether there is one.
    func openForErasure() -> Bool {
        let effects = state.withLock { state in
            guard let unopened = state.unopened else { return nil as [SenderState.Effect]? }
            return unopened.hasLog ? state.open() : []
        }
        guard let effects else { return true }
        run(effects)
        return !effects.isEmpty
    }

    /// Whether events wait for an answer.
    var hasUnanswered: Bool { state.withLock { !$0.waiting.isEmpty } }
}
