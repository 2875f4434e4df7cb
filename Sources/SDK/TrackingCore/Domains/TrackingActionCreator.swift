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
    public func send<Event: TrackingEvent>(_ event: Event) -> TrackingReceipt? { send(event, claim: nil) }

    /// - Parameter claim: Waits for the event's number if the event is held.
    @inline(__always)
    func send<Event: TrackingEvent>(_ event: Event, claim: HeldEventClaim?) -> TrackingReceipt? {
        let time = pipeline.now
        if let reason = pipeline.dropReason(of: Event.self, at: time) { return drop(event, reason) }
        return pipeline.kind(of: Event.self)._withUnsafeGuaranteedRef { kind in
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
            return append(event, kind: kind, at: time, value: value, claim: claim)
        }
    }

    @inline(__always)
    private func append(
        _ event: some TrackingEvent, kind: EventKind, at time: EventTime, value: EncodingScratch,
        claim: HeldEventClaim?
    ) -> TrackingReceipt? {
        if pipeline.held?.isHolding == true, let outcome = hold(event, kind: kind, at: time, value: value, claim: claim)
        {
            if case .held(let id) = outcome { return TrackingReceipt(pending: id) }
            return nil
        }
        var receipt: TrackingReceipt?
        var drop: DropReason?
        dispatcher.dispatch { sender, renews in
            let outcome = value.withBytes { pipeline.append(kind, at: time, value: $0) }
            // Give the memory back before subscribers run: events that they send need it.
            value.giveBack()
            guard case .appended(let appended) = outcome else {
                if case .dropped(let reason) = outcome { drop = reason } else { drop = .closed }
                return false
            }
            appended.envelopeContext._withUnsafeGuaranteedRef { envelopeContext in
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
        if let drop { pipeline.drop(kind.name, drop, at: time) } else { pipeline.wasSent(kind) }
        return receipt
    }

    /// Holds or drops an event while the log is not open. Returns nil if the log has been opened meanwhile.
    private func hold(
        _ event: any TrackingEvent, kind: EventKind, at time: EventTime, value: EncodingScratch,
        claim: HeldEventClaim?
    ) -> HeldEvents.Outcome? {
        let outcome = value.withBytes { pipeline.hold(event, kind, at: time, value: $0, claim: claim) }
        if case .passed = outcome { return nil }
        value.giveBack()
        if case .dropped(let reason) = outcome { pipeline.drop(kind.name, reason, at: time) }
        return outcome
    }

    /// Assigns numbers to the held events and dispatches them, in order. Events are no longer held after that.
    ///
    /// - Parameter sessionEnded: Called with a session that a reset has ended.
    func sendHeld(_ held: HeldEvents, sessionEnded: (String) -> Void) {
        var resets = 0
        var ended: [String] = []
        func pass(to count: Int) {
            guard count > resets else { return }
            resets = count
            if let session = pipeline.endSession() { ended.append(session) }
        }
        while let events = held.next(finish: { pass(to: pipeline.resets) }) {
            for event in events {
                pass(to: event.sender.resets)
                var drop: DropReason?
                var seq: Int64 = 0
                dispatcher.dispatch { sender in
                    drop = pipeline.append(event, to: sender)
                    if drop == nil { seq = sender.pointee.seq }
                    return drop == nil
                }
                if let drop {
                    pipeline.dropHeld([event], drop)
                } else {
                    event.claim?.settle(
                        .success(TrackingReceipt(id: event.id, seq: seq, durability: pipeline.durability)))
                    pipeline.wasSent(event.kind)
                }
            }
        }
        for session in ended { sessionEnded(session) }
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
        let failure = error is TrackingEventError ? nil : value.failure(error)
        value.giveBack()
        if let failure { pipeline.report(failure, of: kind.name) }
        if let error = error as? TrackingEventError { pipeline.report(error, of: kind.name) }
        return drop(event, .encoding)
    }

    /// Counts and reports an event that could not be created.
    func drop(_ event: some TrackingEvent, _ reason: DropReason) -> TrackingReceipt? {
        pipeline.drop(type(of: event).name, reason, at: pipeline.now)
        return nil
    }
}

/// The Tracking triple.
public typealias TrackingDomain = FluxDomain<TrackingActionCreator, TrackingState>
