internal import EventLog
internal import EventModel

/// Identifiers that are recorded.
struct RecordedIDs: TrackingIDs {
    let ids: any TrackingIDs
    let tape: EnvironmentTape

    func eventID(at time: EventTime) -> EventID {
        let text = tape.value("event-id") { ids.eventID(at: time).description }
        // Only a recording that was changed has a text that is none: then the event differs from the recorded one.
        return EventID(text) ?? ids.eventID(at: time)
    }

    func uuid() -> String { tape.value("uuid") { ids.uuid() } }
}
