internal import EventLog
internal import EventModel
public import Flux
internal import JSONLines

/// Passes containers to the pipeline, which stores them in the log and then dispatches them.
public struct TrackingActionCreator: ActionCreator {
    public let dispatcher: FluxDispatcher<TrackingContainer>
    let pipeline: TrackingPipeline

    /// Stores an event, then notifies the dispatcher's subscribers. Never throws, never traps. Call it on any thread.
    ///
    /// The event is in the log before its container is dispatched. Containers are dispatched in the order of their
    /// `seq`.
    ///
    /// - Returns: The event's receipt, or nil if it was dropped. Drops are counted and reported.
    @discardableResult
    public func send<Event: TrackingEvent>(_ event: Event) -> TrackingReceipt? {
        send(event, by: nil, claim: nil)
    }

    /// - Parameters:
    ///   - user: The user of `Tracker.as(user:)` who sends the event; nil for the present person.
    ///   - claim: Waits for the event's number if the event is held.
    @inline(__always)
    func send<Event: TrackingEvent>(
        _ event: Event, as user: User?, claim: Awaited<TrackingReceipt?>?
    ) -> TrackingReceipt? {
        guard let user else { return send(event, by: nil, claim: claim) }
        pipeline.users.prefetch(user)
        var sending = UserSend(user)
        return withUnsafeMutablePointer(to: &sending) { send(event, by: $0, claim: claim) }
    }

    @inline(__always)
    private func send<Event: TrackingEvent>(
        _ event: Event, by user: UnsafeMutablePointer<UserSend>?, claim: Awaited<TrackingReceipt?>?
    ) -> TrackingReceipt? {
        let time = pipeline.now
        return pipeline.kind(of: Event.self)._withUnsafeGuaranteedRef { kind in
            guard pipeline.maySend(kind, by: user) else {
                return drop(event, pipeline.sender.dropReason(of: kind.purpose, by: user?.pointee.user))
            }
            if let reason = pipeline.dropReason(of: Event.self, at: time) { return drop(event, reason) }
            guard kind.isValid else { return drop(event, kind.dropReason) }
            let value = EncodingScratch.take()
            do {
                if kind.carriesValue { try value.write { try event.writeValue(to: &$0) } }
            } catch {
                return drop(event, kind: kind, value: value, by: user, error: error)
            }
            guard !kind.carriesValue || value.isObject else {
                return drop(
                    event, kind: kind, value: value, by: user,
                    error: EncodingFailure(path: "", reason: "it is not a JSON object"))
            }
            return append(event, kind: kind, at: time, value: value, by: user, claim: claim)
        }
    }

    /// Sends an event and waits until it has the requested durability; see ``Tracker/send(_:reaching:)``.
    func send(
        _ event: some TrackingEvent, as user: User?, reaching durability: Durability
    ) async throws -> TrackingReceipt? {
        let claim = pipeline.sender.isHolding ? Awaited<TrackingReceipt?>() : nil
        guard var receipt = send(event, as: user, claim: claim) else { return nil }
        if receipt.isPending, durability > .buffered {
            guard let claim else { throw EventLogError.consentUnknown }
            guard let numbered = try await claim.value else { return nil }
            receipt = numbered
        }
        guard receipt.durability < durability else { return receipt }
        switch durability {
        case .buffered: break
        case .survivesProcessKill: try await pipeline.log.current.commit()
        case .survivesPowerLoss: try await pipeline.log.current.flushToDisk()
        }
        return receipt.reaching(durability)
    }

    @inline(__always)
    private func append(
        _ event: some TrackingEvent, kind: EventKind, at time: EventTime, value: EncodingScratch,
        by user: UnsafeMutablePointer<UserSend>?, claim: Awaited<TrackingReceipt?>?
    ) -> TrackingReceipt? {
        if pipeline.sender.isHolding {
            switch hold(event, kind: kind, at: time, value: value, by: user?.pointee.user, claim: claim) {
            case .receipt(let receipt): return receipt
            case .passed: break
            }
        }
        let result = append(event, kind: kind, id: nil, at: time, value: value, by: user)
        if case .waits(let bytes) = result {
            return wait(
                event,
                HeldEvent(
                    event: event, kind: kind, id: pipeline.ids.eventID(at: time), time: time, value: bytes,
                    user: user?.pointee.user, claim: claim))
        }
        let receipt = finish(kind, result, at: time)
        pipeline.sender.runLateEffects()
        return receipt
    }

    /// The result of an attempt to store an event.
    private enum Appended {
        case stored(TrackingReceipt)
        case dropped(DropReason)
        /// The event waits for an answer, with its encoded value.
        case waits([UInt8])
    }

    @inline(__always)
    private func finish(_ kind: EventKind, _ result: Appended, at time: EventTime) -> TrackingReceipt? {
        switch result {
        case .stored(let receipt):
            pipeline.wasSent(kind)
            return receipt
        case .dropped(let reason): pipeline.drop(kind.name, reason, at: time)
        case .waits: pipeline.drop(kind.name, .unanswered, at: time)
        }
        return nil
    }

    /// Lets an event wait for an answer, or stores it if the answer is given meanwhile.
    @inline(never)
    private func wait(_ event: some TrackingEvent, _ held: HeldEvent) -> TrackingReceipt? {
        pipeline.sender.runLateEffects()
        while true {
            switch pipeline.sender.wait(for: held) {
            case .held: return TrackingReceipt(pending: held.id)
            case .dropped(let reason):
                pipeline.drop(held.kind.name, reason, at: held.time)
                return nil
            case .passed:
                let result = append(event, held)
                pipeline.sender.runLateEffects()
                if case .waits = result { continue }
                let receipt = finish(held.kind, result, at: held.time)
                held.claim?.settle(.success(receipt))
                return receipt
            }
        }
    }

    /// - Parameter waited: The event, if it has waited for the answer of the present person.
    private func append(_ event: some TrackingEvent, _ held: HeldEvent, waited: WaitingEvent? = nil) -> Appended {
        let value = EncodingScratch.take()
        value.write { $0.value(held.value) }
        guard held.user != nil || waited != nil else {
            return append(event, kind: held.kind, id: held.id, at: held.time, value: value, by: nil)
        }
        var sending = UserSend(held.user ?? User(""), waited: waited)
        return withUnsafeMutablePointer(to: &sending) {
            append(event, kind: held.kind, id: held.id, at: held.time, value: value, by: $0)
        }
    }

    /// Sends an event that has waited for an answer.
    func send(waited: WaitingEvent) {
        func send(_ event: some TrackingEvent) {
            if pipeline.isSwitchedOff(waited.held) {
                pipeline.drop(waited.held.kind.name, .switchedOff, at: waited.held.time)
            } else {
                // A user's session follows from the time of the event.
                let result = append(event, waited.held, waited: waited.held.user == nil ? waited : nil)
                _ = finish(waited.held.kind, result, at: waited.held.time)
            }
        }
        send(waited.held.event)
    }

    /// Assigns a number to an event, stores it, and dispatches its container.
    ///
    /// - Parameters:
    ///   - id: The id of an event that was held; nil for a new one.
    ///   - value: The encoded value. This method gives the memory back.
    ///   - user: The user of `Tracker.as(user:)` who sends the event; nil for the present person.
    @inline(__always)
    private func append(
        _ event: some TrackingEvent, kind: EventKind, id: EventID?, at time: EventTime, value: EncodingScratch,
        by user: UnsafeMutablePointer<UserSend>?
    ) -> Appended {
        while true {
            let result = attempt(event, kind: kind, id: id, at: time, value: value, by: user)
            guard let user, user.pointee.needsConsents else { return result }
            user.pointee.lookUpConsents(in: pipeline)
        }
    }

    @inline(__always)
    private func attempt(
        _ event: some TrackingEvent, kind: EventKind, id: EventID?, at time: EventTime, value: EncodingScratch,
        by user: UnsafeMutablePointer<UserSend>?
    ) -> Appended {
        var result = Appended.dropped(.closed)
        dispatcher.dispatch { sender, renews in
            let outcome = value.withBytes { pipeline.append(kind, id: id, at: time, value: $0, by: user) }
            if let user, user.pointee.needsConsents { return false }
            if case .waits = outcome { result = .waits(value.withBytes { Array($0) }) }
            // Give the memory back before subscribers run: events that they send need it.
            value.giveBack()
            guard case .appended(let appended) = outcome else {
                if case .dropped(let reason) = outcome { result = .dropped(reason) }
                return false
            }
            appended.envelopeContext._withUnsafeGuaranteedRef { buffer in
                let envelopeContext = EnvelopeContext(buffer)
                if renews {
                    sender.pointee.become(
                        id: appended.id, seq: appended.seq, time: time, envelopeContext: envelopeContext, event: event)
                } else {
                    sender.initialize(
                        to: TrackingContainer(
                            id: appended.id, seq: appended.seq, time: time, envelopeContext: envelopeContext,
                            event: event))
                }
            }
            result = .stored(TrackingReceipt(id: appended.id, seq: appended.seq, durability: pipeline.durability))
            return true
        } retire: {
            $0.forgetEvent()
        }
        return result
    }

    private enum Holding {
        /// The event is held, or was dropped.
        case receipt(TrackingReceipt?)
        /// The log has been opened meanwhile.
        case passed
    }

    /// Holds or drops an event while the log is not open.
    @inline(never)
    private func hold(
        _ event: some TrackingEvent, kind: EventKind, at time: EventTime, value: EncodingScratch, by user: User?,
        claim: Awaited<TrackingReceipt?>?
    ) -> Holding {
        let bytes = value.withBytes { Array($0) }
        guard bytes.count <= TrackingContainer.maximumLineLength else {
            value.giveBack()
            pipeline.drop(kind.name, .tooLarge, at: time)
            return .receipt(nil)
        }
        let held = HeldEvent(
            event: event, kind: kind, id: pipeline.ids.eventID(at: time), time: time, value: bytes, user: user,
            claim: claim)
        let outcome = pipeline.sender.hold(held)
        if case .passed = outcome { return .passed }
        value.giveBack()
        guard case .dropped(let reason) = outcome else { return .receipt(TrackingReceipt(pending: held.id)) }
        pipeline.drop(kind.name, reason, at: time)
        return .receipt(nil)
    }

    /// Sends an event that was held. Its rate was limited when it was sent.
    func send(held: HeldEvent) {
        let receipt = send(held.event, held)
        held.claim?.settle(.success(receipt))
    }

    private func send(_ event: some TrackingEvent, _ held: HeldEvent) -> TrackingReceipt? {
        let result = pipeline.isSwitchedOff(held) ? .dropped(.switchedOff) : append(event, held)
        pipeline.sender.runLateEffects()
        if case .waits = result { return wait(event, held) }
        return finish(held.kind, result, at: held.time)
    }

    /// Counts and reports an event whose value could not be encoded. Reports only path and reason of the error, since
    /// its text might contain property values.
    ///
    /// - Parameters:
    ///   - value: The memory with the output up to the error, which shows the property. This method gives it back.
    ///   - user: The user of `Tracker.as(user:)`, whose consent is known only now; nil for the present person.
    @inline(never)
    private func drop(
        _ event: some TrackingEvent, kind: EventKind, value: EncodingScratch, by user: UnsafeMutablePointer<UserSend>?,
        error: any Error
    ) -> TrackingReceipt? {
        if user?.pointee.isDenied(kind, in: pipeline) == true {
            value.giveBack()
            return drop(event, .optedOut)
        }
        let limit = error as? TrackingEventError
        let failure = limit == nil ? value.failure(error) : nil
        value.giveBack()
        if let limit { pipeline.report(limit, of: kind.name) }
        if let failure { pipeline.report(failure, of: kind.name) }
        return drop(event, limit == nil ? .encoding : .outOfLimits)
    }

    /// Counts and reports an event that could not be created.
    func drop(_ event: some TrackingEvent, _ reason: DropReason) -> TrackingReceipt? {
        pipeline.drop(type(of: event).name, reason, at: pipeline.now)
        return nil
    }
}

/// The Tracking triple.
public typealias TrackingDomain = FluxDomain<TrackingActionCreator, TrackingState>
