internal import EventLog
internal import EventModel

/// A log whose numbers and refusals are recorded.
struct RecordedLog: ForwardingEventStore {
    let next: any EventStore
    let tape: EnvironmentTape

    func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        let result = next.append(lineCapacity: lineCapacity) { seq, line in
            tape.note(.value, TapeEntry.seq, seq)
            return fill(seq, line)
        }
        if case .failure(let drop) = result, let reason = drop.reason {
            tape.note(.value, TapeEntry.refusal, reason.rawValue)
        }
        return result
    }
}
