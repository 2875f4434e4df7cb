internal import EventLog
internal import EventModel

/// The dependencies of a tracker, wrapped by a tape if there is one.
struct RecordedDependencies {
    private(set) var setup: TrackerSetup
    private(set) var log: any EventStore
    private(set) var storage: any KeyValueStorage

    init(_ setup: TrackerSetup, log: any EventStore, storage: any KeyValueStorage, tape: EnvironmentTape?) {
        self.setup = setup
        self.log = log
        self.storage = storage
        guard let tape else { return }
        self.log = tape.log(over: log)
        self.storage = RecordedStorage(storage: storage, tape: tape)
        self.setup.clock = RecordedClock(clock: setup.clock, tape: tape)
        self.setup.ids = RecordedIDs(ids: setup.ids, tape: tape)
    }
}

/// A clock whose readings are recorded.
struct RecordedClock: TrackingClock {
    let clock: any TrackingClock
    let tape: EnvironmentTape

    var now: EventTime { EventTime(microseconds: tape.value("clock") { clock.now.microseconds }) }
    /// Not recorded: it only measures the pauses of deliveries, which a replay does not have.
    var sinceBoot: BootTime { clock.sinceBoot }
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
