internal import TrackingCore

/// A log that assigns numbers and rejects events like the recorded log, and stores nothing.
struct ReplayLog: ForwardingEventStore {
    let installID: String
    let next: any EventStore
    let tape: ReplayTape
    let environment: Int

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        if let refusal { return .failure(EventDropped(refusal)) }
        let seq: Int64 = tape.value(TapeEntry.seq, environment: environment) { 0 }
        let isFilled = withUnsafeTemporaryAllocation(byteCount: lineCapacity, alignment: 1) { fill(seq, $0) != nil }
        // The log may have rejected the event only after it had the line.
        if let refusal { return .failure(EventDropped(refusal)) }
        return isFilled ? .success(seq) : .failure(EventDropped(nil))
    }

    private var refusal: DropReason? {
        guard tape.isNext(.value, TapeEntry.refusal, environment: environment) else { return nil }
        let reason = tape.value(TapeEntry.refusal, environment: environment) { "" }
        return DropReason(rawValue: reason) ?? .closed
    }
}

/// A clock and identifiers for the time after a replay has ended while the app still runs. Their values never appear in
/// the replay's states or events.
struct PlaceholderDependencies: TrackingClock, TrackingIDs {
    var now: EventTime { EventTime(microseconds: 0) }
    func eventID(at time: EventTime) -> EventID { EventID(high: 0, low: 0) }
    func uuid() -> String { EventID(high: 0, low: 0).description }
}
