internal import EventLog
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
        let prepared: TrackingPipeline.Prepared
        switch pipeline.prepare(event) {
        case .success(let value): prepared = value
        case .failure(let drop):
            pipeline.drop(event, drop.reason)
            return nil
        }
        var outcome: Result<TrackingContainer, EventDropped>?
        dispatcher.dispatch {
            let result = pipeline.append(event, prepared)
            outcome = result
            return try? result.get()  // a drop is handled below, outside the lock
        }
        switch outcome {
        case .success(let container):
            pipeline.wasSent(container)
            return TrackingReceipt(id: container.id, seq: container.seq, durability: pipeline.durability)
        case .failure(let drop):
            pipeline.drop(event, drop.reason)
            return nil
        case nil: return nil
        }
    }

    /// Counts and reports an event that could not even be made.
    func drop(_ event: some TrackingEvent, _ reason: DropReason) -> TrackingReceipt? {
        pipeline.drop(event, reason)
        return nil
    }
}

/// What the tracking store exposes: what was sent.
public struct TrackingState: Sendable {
    /// The last container; nil before the first.
    public var last: TrackingContainer?
    /// How many were sent, by event name.
    public var counts: [String: Int] = [:]
}

/// The Tracking triple.
public typealias TrackingDomain = FluxDomain<TrackingActionCreator, TrackingState>
