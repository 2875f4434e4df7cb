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
        let envelopeContext: Unmanaged<EnvelopeContext>
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
    ///   - waited: Person and session of an event that has waited for an answer; nil for those of this moment.
    /// - Returns: The appended event, valid while the lock is held, or the drop reason; never ``Outcome/needsRoom(_:)``
    ///   or ``Outcome/needsInstall``.
    func append(
        _ kind: EventKind, id: EventID?, at time: EventTime, value: UnsafeRawBufferPointer, waited: WaitingEvent? = nil
    ) -> Outcome {
        guard value.count <= TrackingContainer.maximumLineLength else { return .dropped(.tooLarge) }
        let expected = room(for: kind, value, envelopeContext: sender.contextLength.load(ordering: .relaxed))
        var outcome = attempt(kind, id, at: time, value: value, room: expected, waited)
        // A second attempt is enough unless another thread sets a longer user in between. Each attempt requests more
        // bytes, and the maximum line length is always enough.
        var room = expected
        while true {
            switch outcome {
            case .needsRoom(let needed): room = needed
            case .needsInstall: lookUpInstall()
            case .appended, .dropped, .waits: return outcome
            }
            outcome = attempt(kind, id, at: time, value: value, room: room, waited)
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
        _ waited: WaitingEvent?
    ) -> Outcome {
        // Not while the log's lock is held: a log may need it to answer.
        if current.pointee.installGeneration != logGeneration { lookUpInstall() }
        var outcome = Outcome.dropped(.closed)  // unless the log requests the line
        let result = withLog { log in
            log.append(lineCapacity: room, priority: kind.priority) { seq, line in
                // A log may call this twice, with another number: the last call counts.
                let stamp: EventStamp?
                (outcome, stamp) = fill(kind, id, at: time, value: value, seq: seq, in: line, room: room, waited)
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
        current.pointee.installID = withLog { $0.installID }
    }

    /// Chooses session and id, and writes the line. Runs under the log's lock.
    @inline(__always)
    private func fill(
        _ kind: EventKind, _ known: EventID?, at time: EventTime, value: UnsafeRawBufferPointer, seq: Int64,
        in line: UnsafeMutableRawBufferPointer, room: Int, _ waited: WaitingEvent?
    ) -> (Outcome, EventStamp?) {
        // The user may have opted out while the event was being encoded.
        guard let envelopeContext = envelopeContext(of: kind, at: time, waited) else {
            if current.pointee.isInstallStale { return (.needsInstall, nil) }
            let isDenied = current.pointee.restrictions & kind.restrictionBits & ~EventKind.waitingBits != 0
            return (isDenied ? .dropped(.optedOut) : .waits, nil)
        }
        // They stay in `current` meanwhile, so no retain is needed.
        return envelopeContext._withUnsafeGuaranteedRef { shared in
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
    private func envelopeContext(
        of kind: EventKind, at time: EventTime, _ waited: WaitingEvent?
    ) -> Unmanaged<EnvelopeContext>? {
        let generation = logGeneration
        if let waited { return envelopeContext(of: waited, generation) }
        if generation == current.pointee.generation,
            sender.changes.load(ordering: .acquiring) == current.pointee.senderChanges,
            SessionRule.surelyHolds(at: time, after: current.pointee.last), time < current.pointee.sessionExpiry,
            current.pointee.restrictions & kind.restrictionBits == 0,
            let envelopeContext = current.pointee.envelopeContext
        {
            current.pointee.last = max(current.pointee.last, time)
            return Unmanaged.passUnretained(envelopeContext)
        }
        return newEnvelopeContext(of: kind, at: time, generation)
    }

    /// Like ``envelopeContext(of:at:)``, when something may have changed since the previous event.
    @inline(never)
    private func newEnvelopeContext(
        of kind: EventKind, at time: EventTime, _ generation: UInt64
    ) -> Unmanaged<EnvelopeContext>? {
        // The line and the number must belong to the same install. The identity is read without holding the log's lock.
        current.pointee.isInstallStale = current.pointee.installGeneration != generation
        if current.pointee.isInstallStale { return nil }
        return sender.state.withLock { state in
            if current.pointee.envelopeContext != nil { state.session.passed(current.pointee.last) }
            current.pointee.envelopeContext = nil
            current.pointee.restrictions = sender.restrictions(&state, generation)
            guard current.pointee.restrictions & kind.restrictionBits == 0 else { return nil }
            // An exempt event is the first one of a person who has denied consent.
            sender.runLater(state.draw(sender.log.current))
            let made = envelopeContext(at: time, in: &state)
            current.pointee.generation = generation
            current.pointee.senderChanges = sender.changes.load(ordering: .relaxed)
            current.pointee.envelopeContext = made
            current.pointee.last = state.session.last ?? time
            current.pointee.sessionExpiry = state.session.expiry
            return Unmanaged.passUnretained(made)
        }
    }

    /// The envelope context of an event that has waited for an answer.
    @inline(never)
    private func envelopeContext(of waited: WaitingEvent, _ generation: UInt64) -> Unmanaged<EnvelopeContext>? {
        current.pointee.isInstallStale = current.pointee.installGeneration != generation
        if current.pointee.isInstallStale { return nil }
        let made = EnvelopeContext(
            installID: current.pointee.installID, sessionID: waited.sessionID, userID: waited.person, context: context)
        current.pointee.waited = made
        return Unmanaged.passUnretained(made)
    }

    private func envelopeContext(at time: EventTime, in state: inout SenderState) -> EnvelopeContext {
        let installID = current.pointee.installID
        if let last = state.envelopeContext, last.installID == installID, state.session.holds(at: time) {
            state.session.passed(time)
            return last
        }
        let sessionID = state.drawnSession(at: time)
        let made = EnvelopeContext(
            installID: installID, sessionID: sessionID, userID: state.identity.person, context: context)
        state.envelopeContext = made
        sender.contextLength.store(made.length, ordering: .relaxed)
        return made
    }
}
