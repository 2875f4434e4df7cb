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
        var sending = UserSend(user)
        return withUnsafeMutablePointer(to: &sending) { send(event, by: $0, claim: claim) }
    }

    @inline(__always)
    private func send<Event: TrackingEvent>(
        _ event: Event, by user: UnsafeMutablePointer<UserSend>?, claim: Awaited<TrackingReceipt?>?
    ) -> TrackingReceipt? {
        let time = pipeline.now
        return pipeline.kind(of: Event.self)._withUnsafeGuaranteedRef { kind in
            guard pipeline.maySend(kind, by: user) else { return drop(event, .optedOut) }
            if let reason = pipeline.dropReason(of: Event.self, at: time) { return drop(event, reason) }
            guard kind.isValid else { return drop(event, kind.dropReason) }
            let value = EncodingScratch.take()
            do {
                if kind.carriesValue { try value.write { try event.writeValue(to: &$0) } }
            } catch {
                return drop(event, kind: kind, value: value, error: error)
            }
            guard !kind.carriesValue || value.isObject else {
                return drop(
                    event, kind: kind, value: value, error: EncodingFailure(path: "", reason: "it is not a JSON object")
                )
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
        if receipt.isPending, durability > .buffered, let claim {
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
        let (receipt, drop) = append(event, kind: kind, id: nil, at: time, value: value, by: user)
        if let drop { pipeline.drop(kind.name, drop, at: time) } else { pipeline.wasSent(kind) }
        pipeline.sender.runLateEffects()
        return receipt
    }

    /// Assigns a number to an event, stores it, and dispatches its container.
    ///
    /// - Parameters:
    ///   - id: The id of an event that was held; nil for a new one.
    ///   - value: The encoded value. This method gives the memory back.
    /// - Returns: The receipt, or the drop reason.
    @inline(__always)
    private func append(
        _ event: some TrackingEvent, kind: EventKind, id: EventID?, at time: EventTime, value: EncodingScratch,
        by user: UnsafeMutablePointer<UserSend>?
    ) -> (receipt: TrackingReceipt?, drop: DropReason?) {
        var receipt: TrackingReceipt?
        var drop: DropReason?
        dispatcher.dispatch { sender, renews in
            let outcome = value.withBytes { pipeline.append(kind, id: id, at: time, value: $0, by: user) }
            // Give the memory back before subscribers run: events that they send need it.
            value.giveBack()
            guard case .appended(let appended) = outcome else {
                if case .dropped(let reason) = outcome { drop = reason } else { drop = .closed }
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
            receipt = TrackingReceipt(id: appended.id, seq: appended.seq, durability: pipeline.durability)
            return true
        } retire: {
            $0.forgetEvent()
        }
        return (receipt, drop)
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
        var (receipt, drop): (TrackingReceipt?, DropReason?) = (nil, .switchedOff)
        if !pipeline.isSwitchedOff(held) {
            let value = EncodingScratch.take()
            value.write { $0.value(held.value) }
            if let user = held.user {
                var sending = UserSend(user)
                (receipt, drop) = withUnsafeMutablePointer(to: &sending) {
                    append(event, kind: held.kind, id: held.id, at: held.time, value: value, by: $0)
                }
            } else {
                (receipt, drop) = append(
                    event, kind: held.kind, id: held.id, at: held.time, value: value, by: nil)
            }
            pipeline.sender.runLateEffects()
        }
        if let drop { pipeline.drop(held.kind.name, drop, at: held.time) } else { pipeline.wasSent(held.kind) }
        return receipt
    }

    /// Counts and reports an event whose value could not be encoded. Reports only path and reason of the error, since
    /// its text might contain property values.
    ///
    /// - Parameter value: The memory with the output up to the error, which shows the property. This method gives it
    ///   back.
    @inline(never)
    private func drop(
        _ event: some TrackingEvent, kind: EventKind, value: EncodingScratch, error: any Error
    ) -> TrackingReceipt? {
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
