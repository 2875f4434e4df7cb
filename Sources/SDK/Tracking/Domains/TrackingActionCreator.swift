internal import EventLog
internal import EventModel
public import Flux

/// Hands containers to the pipeline, which persists them, then dispatches them.
public struct TrackingActionCreator: ActionCreator {
    public let dispatcher: FluxDispatcher<TrackingContainer>
    let pipeline: TrackingPipeline

    /// Persists an event, then tells the dispatcher's subscribers. Never throws, never traps, any thread.
    ///
    /// The event is in the log when its container is dispatched, and containers are dispatched in the order of
    /// their `seq`.
    ///
    /// - Returns: The event's receipt, or nil if it was dropped (which is counted and reported).
    @discardableResult
    public func send<Event: TrackingEvent>(_ event: Event) -> TrackingReceipt? {
        let time = pipeline.now
        if let refusal = pipeline.refusal(at: time) { return drop(event, refusal) }
        return pipeline.kind(of: Event.self)._withUnsafeGuaranteedRef { kind in
            guard kind.isValid else { return drop(event, .invalidName) }
            let value = EncodingScratch.take()
            do {
                if kind.carriesValue { try value.write { try event.writeValue(to: &$0) } }
            } catch {
                // Any error of an event's own encoding is the same counted drop; its text might hold property values.
                value.giveBack()
                if let error = error as? TrackingEventError { pipeline.report(error, of: kind.name) }
                return drop(event, .encoding)
            }
            guard !kind.carriesValue || value.isObject else {
                value.giveBack()
                return drop(event, .encoding)
            }
            return append(event, kind, at: time, value)
        }
    }

    /// What is the same code for every type of event.
    private func append(
        _ event: any TrackingEvent, _ kind: EventKind, at time: EventTime, _ value: EncodingScratch
    ) -> TrackingReceipt? {
        var receipt: TrackingReceipt?
        var drop: DropReason?
        dispatcher.dispatch { place in
            drop = value.withBytes { pipeline.append(event, kind, at: time, value: $0, to: place) }
            // Given back before subscribers run: what they send needs it.
            value.giveBack()
            guard drop == nil else { return false }
            receipt = TrackingReceipt(
                id: place.pointee.id, seq: place.pointee.seq, durability: pipeline.durability)
            return true
        }
        if let drop { pipeline.drop(kind.name, drop) } else { pipeline.wasSent(kind) }
        return receipt
    }

    /// Counts and reports an event that could not even be made.
    func drop(_ event: some TrackingEvent, _ reason: DropReason) -> TrackingReceipt? {
        pipeline.drop(type(of: event).name, reason)
        return nil
    }
}
