internal import EventLog
internal import EventModel

/// The dependencies of an environment, wrapped by a tape if there is one.
struct RecordedDependencies {
    let log: any EventStore
    let storage: any KeyValueStorage
    let clock: any TrackingClock
    let ids: any TrackingIDs

    init(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        tape: EnvironmentTape?
    ) {
        guard let tape else {
            self.log = log
            self.storage = storage
            self.clock = clock
            self.ids = ids
            return
        }
        self.log = tape.log(over: log)
        self.storage = RecordedStorage(storage: storage, tape: tape)
        self.clock = RecordedClock(clock: clock, tape: tape)
        self.ids = RecordedIDs(ids: ids, tape: tape)
    }
}

/// A clock whose readings are recorded.
struct RecordedClock: TrackingClock {
    let clock: any TrackingClock
    let tape: EnvironmentTape

    var now: EventTime { EventTime(microseconds: tape.value("clock") { clock.now.microseconds }) }
}

/// Identifiers that are recorded.
struct RecordedIDs: TrackingIDs {
    let ids: any TrackingIDs
    let tape: EnvironmentTape

    func eventID(at time: EventTime) -> EventID {
        let text = tape.value("event-id") { ids.eventID(at: time).description }
        // The text is invalid only in an edited recording. The event then differs from the recorded one.
        return EventID(text) ?? ids.eventID(at: time)
    }

    func uuid() -> String { tape.value("uuid") { ids.uuid() } }
}

/// A log whose numbers and rejections are recorded.
struct RecordedLog: ForwardingEventStore {
    let next: any EventStore
    let tape: EnvironmentTape

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        let result = next.append(lineCapacity: lineCapacity) { seq, line in
            tape.note(.value, domain: TapeEntry.seq, payload: seq)
            return fill(seq, line)
        }
        if case .failure(let drop) = result, let reason = drop.reason {
            tape.note(.value, domain: TapeEntry.refusal, payload: reason.rawValue)
        }
        return result
    }
}

/// Storage whose answers are recorded.
struct RecordedStorage: KeyValueStorage {
    private struct Change: Encodable {
        let key: String
        let value: String?
    }

    /// The recorded storage rejected a value. The error itself is not recorded.
    private struct Refused: Error {}

    let storage: any KeyValueStorage
    let tape: EnvironmentTape

    func string(forKey key: String) throws -> String? {
        var failure: (any Error)?
        let value = tape.value("storage/\(key)") { () -> String? in
            do { return try storage.string(forKey: key) } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        return value
    }

    func set(_ value: String?, forKey key: String) throws {
        tape.note(.request, domain: "storage", payload: Change(key: key, value: value))
        var failure: (any Error)?
        let isStored = tape.value("storage") {
            do { try storage.set(value, forKey: key) } catch { failure = error }
            return failure == nil
        }
        guard isStored else { throw failure ?? Refused() }
    }
}
