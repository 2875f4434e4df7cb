public import EventLog
internal import Foundation
internal import Locking

/// Identifiers of chance. Event ids rise even when the clock stands or goes back: the last millisecond is held
/// and a counter bumped (RFC 9562, section 6.2, method 1).
public final class RandomTrackingIDs: TrackingIDs {
    private struct State {
        var milliseconds: UInt64 = 0
        var counter: UInt16 = 0
        var random = SystemRandomNumberGenerator()
    }

    private let state = Locked(State())

    /// Makes a generator.
    public init() {}

    public func eventID(at time: EventTime) -> EventID {
        state.withLock { state in
            if time.milliseconds > state.milliseconds {
                state.milliseconds = time.milliseconds
                // Half of the counter's range is left for bumps within this millisecond.
                state.counter = UInt16(truncatingIfNeeded: state.random.next()) & 0x07FF
            } else if state.counter < 0x0FFF {
                state.counter += 1
            } else {
                state.milliseconds += 1
                state.counter = 0
            }
            return EventID(milliseconds: state.milliseconds, counter: state.counter, random: state.random.next())
        }
    }

    public func uuid() -> String { UUID().uuidString }
}
