internal import EventLog
internal import EventModel

/// What an environment is made of, with a tape between it and the outside if there is one.
struct RecordedOutside {
    let log: any EventStore
    let storage: any KeyValueStorage
    let clock: any TrackingClock
    let ids: any TrackingIDs

    init(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        tape: EnvironmentTape?
    ) {
        guard let tape else {
            (self.log, self.storage, self.clock, self.ids) = (log, storage, clock, ids)
            return
        }
        self.log = tape.log(over: log)
        self.storage = RecordedStorage(storage: storage, tape: tape)
        self.clock = RecordedClock(clock: clock, tape: tape)
        self.ids = RecordedIDs(ids: ids, tape: tape)
    }
}
