internal import TrackingCore

/// A log that numbers and refuses events as the recorded one did, and keeps none of them.
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
        // The log may have refused the event only when it had its line.
        if let refusal { return .failure(EventDropped(refusal)) }
        return isFilled ? .success(seq) : .failure(EventDropped(nil))
    }

    private var refusal: DropReason? {
        guard tape.isNext(.value, TapeEntry.refusal, environment: environment) else { return nil }
        let reason = tape.value(TapeEntry.refusal, environment: environment) { "" }
        return DropReason(rawValue: reason) ?? .closed
    }
}

/// A clock and identifiers for the moments in which a replay has ended and the app has not: what they give is in no
/// state and no event that a replay hands back.
struct StandIns: TrackingClock, TrackingIDs {
    var now: EventTime { EventTime(microseconds: 0) }
    func eventID(at time: EventTime) -> EventID { EventID(high: 0, low: 0) }
    func uuid() -> String { EventID(high: 0, low: 0).description }
}
