internal import Tracking

/// A clock and identifiers for the moments in which a replay has ended and the app has not: what they give is in no
/// state and no event that a replay hands back.
struct StandIns: TrackingClock, TrackingIDs {
    var now: EventTime { EventTime(microseconds: 0) }
    func eventID(at time: EventTime) -> EventID { EventID(high: 0, low: 0) }
    func uuid() -> String { EventID(high: 0, low: 0).description }
}
