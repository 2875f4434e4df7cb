internal import EventLog
internal import EventModel
internal import Primitives

// Assigns a number to an event and appends it.
extension TrackingPipeline {
    /// An appended event.
    struct Appended {
        let id: EventID
        let seq: Int64
        /// ``current`` keeps it alive until the next event is appended, which requires the dispatcher's lock.
        let envelopeContext: Unmanaged<EnvelopeContext.Buffer>
    }

    /// The result of an attempt to append.
    enum Outcome {
        case appended(Appended)
        case dropped(DropReason)
        /// The event waits in memory for an answer.
        case waits
        /// The envelope context is longer than expected; this many bytes are enough for the line as it is now.
        case needsRoom(Int)
        /// The number may belong to another install than the identity that was read.
        case needsInstall
    }

    /// Assigns a number to an event and appends it. Runs under the dispatcher's lock.
    ///
    /// - Parameters:
    ///   - id: The id of an event that was held; nil for a new one.
    ///   - value: The event's encoded value; empty if it carries none.
    ///   - user: The user of `Tracker.as(user:)` who sends the event; nil for the present person.
    /// - Returns: The appended event, valid while the lock is held, or the drop reason; never ``Outcome/needsRoom(_:)``
    ///   or ``Outcome/needsInstall``.
    func append(
        _ kind: EventKind, id: EventID?, at time: EventTime, value: UnsafeRawBufferPointer,
        by user: UnsafeMutablePointer<UserSend>?
    ) -> Outcome {
        guard value.count <= TrackingContainer.maximumLineLength else { return .dropped(.tooLarge) }
        let expected = room(for: kind, value, envelopeContext: expectedContextLength(by: user))
        var outcome = attempt(kind, id, at: time, value: value, room: expected, by: user)
        // A second attempt is enough unless another thread sets a longer user in between. Each attempt requests more
        // bytes, and the maximum line length is always enough.
        var room = expected
        while true {
            switch outcome {
            case .needsRoom(let needed): room = needed
            case .needsInstall: lookUpInstall()
            case .appended, .dropped, .waits: return outcome
            }
            outcome = attempt(kind, id, at: time, value: value, room: room, by: user)
        }
    }

    /// The number of bytes to request from the log.
    @inline(__always)
    func room(for kind: EventKind, _ value: UnsafeRawBufferPointer, envelopeContext: Int) -> Int {
        min(
            TrackingContainer.maximumLineLength,
            ContainerLine.sufficientLength(envelopeContext: envelopeContext, kind: kind, value: value.count))
    }

    /// Makes one attempt, for a line of at most `room` bytes.
    @inline(__always)
    private func attempt(
        _ kind: EventKind, _ id: EventID?, at time: EventTime, value: UnsafeRawBufferPointer, room: Int,
        by user: UnsafeMutablePointer<UserSend>?
    ) -> Outcome {
        // Not while the log's lock is held: a log may need it to answer.
        if current.pointee.installGeneration != logGeneration { lookUpInstall() }
        var outcome = Outcome.dropped(.closed)  // unless the log requests the line
        let result = withLog { log in
            log.append(lineCapacity: room, priority: kind.priority) { seq, line in
                // A log may call this twice, with another number: the last call counts.
                let stamp: EventStamp?
                (outcome, stamp) = fill(
                    kind, id, at: time, value: value, seq: seq, in: line, room: room, by: user)
                return stamp
            }
        }
        switch (result, outcome) {
        case (.success, .appended): return outcome
        case (.success, _): return .dropped(.closed)
        case (.failure, .needsRoom), (.failure, .needsInstall), (.failure, .waits): return outcome
        case (.failure(let drop), .dropped(let reason)): return .dropped(drop.reason ?? reason)
        case (.failure(let drop), .appended): return .dropped(drop.reason ?? .closed)
        }
    }

    @inline(never)
    private func lookUpInstall() {
        // Before the identity is read: a change after that is seen at the next event.
        current.pointee.installGeneration = logGeneration
        let installID = withLog { $0.installID }
        guard installID != current.pointee.install.installID else { return }
        current.pointee.install = InstallEnvelope(installID: installID, context: context)
    }

    /// Chooses session and id, and writes the line. Runs under the log's lock.
    @inline(__always)
    private func fill(
        _ kind: EventKind, _ known: EventID?, at time: EventTime, value: UnsafeRawBufferPointer, seq: Int64,
        in line: UnsafeMutableRawBufferPointer, room: Int, by user: UnsafeMutablePointer<UserSend>?
    ) -> (Outcome, EventStamp?) {
        // The user may have opted out while the event was being encoded.
        let found =
            user.map { $0.pointee.envelopeContext(of: kind, at: time, in: self) }
            ?? envelopeContext(of: kind, at: time)
        guard let envelopeContext = found else {
            if current.pointee.isInstallStale { return (.needsInstall, nil) }
            return (EventKind.isDenied(current.pointee.lastRestrictions) ? .dropped(.optedOut) : .waits, nil)
        }
        // They stay in `current` or in the cache meanwhile, so no retain is needed.
        return envelopeContext._withUnsafeGuaranteedRef { buffer in
            let shared = EnvelopeContext(buffer)
            let needed = self.room(for: kind, value, envelopeContext: shared.length)
            guard needed <= room else { return (.needsRoom(needed), nil) }
            let id = known ?? ids.eventID(at: time)
            let length = ContainerLine.write(
                id: id, seq: seq, time: time, envelopeContext: shared, kind: kind, value: value, to: line,
                limit: TrackingContainer.maximumLineLength)
            guard let length else { return (.dropped(.tooLarge), nil) }
            return (
                .appended(Appended(id: id, seq: seq, envelopeContext: envelopeContext)),
                EventStamp(id: id, time: time, name: kind.name, lineLength: length, purpose: kind.purpose)
            )
        }
    }

    /// The envelope context of an event at a time: usually that of the previous event. nil if the user has opted out.
    @inline(__always)
    private func envelopeContext(of kind: EventKind, at time: EventTime) -> Unmanaged<EnvelopeContext.Buffer>? {
        let generation = logGeneration
        if generation == current.pointee.generation,
            sender.changes.load(ordering: .acquiring) == current.pointee.senderChanges,
            SessionRule.surelyHolds(at: time, after: current.pointee.last), time < current.pointee.sessionExpiry,
            current.pointee.restrictions & kind.restrictionBits == 0,
            let envelopeContext = current.pointee.envelopeContext
        {
            current.pointee.last = max(current.pointee.last, time)
            return Unmanaged.passUnretained(envelopeContext.buffer)
        }
        return newEnvelopeContext(of: kind, at: time, generation)
    }

    /// Like ``envelopeContext(of:at:)``, when something may have changed since the previous event.
    @inline(never)
    private func newEnvelopeContext(
        of kind: EventKind, at time: EventTime, _ generation: UInt64
    ) -> Unmanaged<EnvelopeContext.Buffer>? {
        guard let install = install(at: generation) else { return nil }
        return sender.state.withLock { state in
            if current.pointee.envelopeContext != nil { state.session.passed(current.pointee.last) }
            current.pointee.envelopeContext = nil
            let restrictions = sender.restrictions(&state, generation)
            guard restrictions & kind.restrictionBits == 0 else {
                current.pointee.lastRestrictions = restrictions & kind.restrictionBits
                return nil
            }
            current.pointee.restrictions = restrictions
            // An exempt event is the first one of a person who has denied consent.
            sender.runLater(state.draw(sender.log.current))
            let made = envelopeContext(at: time, install, in: &state)
            current.pointee.generation = generation
            current.pointee.senderChanges = sender.changes.load(ordering: .relaxed)
            current.pointee.envelopeContext = made
            current.pointee.last = state.session.last ?? time
            current.pointee.sessionExpiry = state.session.expiry
            return Unmanaged.passUnretained(made.buffer)
        }
    }

    /// What the lines of the install share; nil if the log may have continued as another install. The line and the number
    /// must belong to the same install, and the id is read without holding the log's lock.
    func install(at generation: UInt64) -> InstallEnvelope? {
        current.pointee.isInstallStale = current.pointee.installGeneration != generation
        return current.pointee.isInstallStale ? nil : current.pointee.install
    }

    private func envelopeContext(
        at time: EventTime, _ install: InstallEnvelope, in state: inout SenderState
    ) -> EnvelopeContext {
        if let last = state.envelopeContext, last.install === install, state.session.holds(at: time) {
            state.session.passed(time)
            return last
        }
        let sessionID = state.drawnSession(at: time)
        let made = EnvelopeContext(install, sessionID: sessionID, userID: state.identity.person)
        state.envelopeContext = made
        sender.contextLength.store(made.length, ordering: .relaxed)
        return made
    }
}
