internal import EventLog

/// Identifiers that are recorded.
struct RecordedIDs: TrackingIDs {
    let ids: any TrackingIDs
    let tape: EnvironmentTape

    func eventID(at time: EventTime) -> EventID {
        let text = tape.value("event-id") { ids.eventID(at: time).description }
        return EventID(text) ?? ids.eventID(at: time)  // only a replay's text can be none; it is compared as one then
    }

    func uuid() -> String { tape.value("uuid") { ids.uuid() } }
}
