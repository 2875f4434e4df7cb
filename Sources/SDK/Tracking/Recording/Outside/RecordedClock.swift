internal import EventLog
internal import EventModel

/// A clock whose readings are recorded.
struct RecordedClock: TrackingClock {
    let clock: any TrackingClock
    let tape: EnvironmentTape

    var now: EventTime { EventTime(microseconds: tape.value("clock") { clock.now.microseconds }) }
}
