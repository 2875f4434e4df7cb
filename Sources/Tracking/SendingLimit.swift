internal import EventLog

/// A guard against a runaway sending loop: at most so many events within one second of the clock.
///
/// What comes past it is a drop, counted as ``DropReason/runaway``; the next second starts anew. A subscriber
/// that sends an event for each event it sees is cut off the same way.
public struct SendingLimit: Hashable, Sendable {
    /// Events a second.
    public var eventsPerSecond: Int

    /// Makes a limit.
    public init(eventsPerSecond: Int) { self.eventsPerSecond = eventsPerSecond }

    /// 5,000 events a second.
    public static let standard = SendingLimit(eventsPerSecond: 5_000)
}

/// Counts the events of the current second.
struct SendingRate {
    private var second: Int64 = .min
    private var count = 0

    mutating func allows(_ limit: SendingLimit?, at time: EventTime) -> Bool {
        guard let limit else { return true }
        let second = time.microseconds / 1_000_000
        if second != self.second {
            self.second = second
            count = 0
        }
        count += 1
        return count <= limit.eventsPerSecond
    }
}
