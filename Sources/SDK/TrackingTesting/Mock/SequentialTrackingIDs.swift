internal import Primitives
public import Tracking

/// Identifiers that count: 1, 2, 3 … in each kind, valid in form.
public final class SequentialTrackingIDs: TrackingIDs {
    private let counts = Locked((events: UInt64(0), uuids: 0))

    /// Makes a generator that starts at 1.
    public init() {}

    public func eventID(at time: EventTime) -> EventID {
        let number = counts.withLock { counts in
            counts.events += 1
            return counts.events
        }
        return EventID(milliseconds: time.milliseconds, counter: 0, random: number << 2)
    }

    public func uuid() -> String {
        let number = counts.withLock { counts in
            counts.uuids += 1
            return counts.uuids
        }
        return Self.uuid(kind: 0, number: number)
    }

    static func uuid(kind: Int, number: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return "0000000\(kind)-0000-4000-8000-\(padded)"
    }
}
