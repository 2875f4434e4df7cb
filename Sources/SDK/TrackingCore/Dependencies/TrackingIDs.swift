public import EventModel
internal import Foundation
internal import Primitives

/// Where identifiers come from. Handed in, so that tests and replays decide.
///
/// **Called under locks.** Each `send` asks for ids while it holds the lock of the events' dispatcher, the log's, and
/// for ``uuid()`` the session's, too: all other threads that send wait for the answer. An implementation
///
/// - must not send events, and must not call the environment, the log or a dispatcher: the thread would wait for itself;
/// - must not wait for another thread that may send: neither would go on;
/// - must be fast: no files, no network, no waiting. ``RandomTrackingIDs`` takes some nanoseconds an id.
///
/// An atomic counter or a lock of its own, held for the answer only, is fine. Ids are asked for on any thread, and
/// several threads may ask at the same time: ``uuid()`` of a device is asked for without these locks.
public protocol TrackingIDs: Sendable {
    /// A new id for an event: a UUIDv7 of its time, above all earlier ones.
    ///
    /// Called once an event, with the locks of the dispatcher and the log held.
    func eventID(at time: EventTime) -> EventID

    /// A new UUID in upper case, for devices and sessions.
    ///
    /// Called when a session starts, with the locks of the dispatcher, the log and the session held; when a device id is
    /// made, without them.
    func uuid() -> String
}

/// Identifiers of chance. Event ids rise even when the clock stands or goes back: the last millisecond is held
/// and a counter bumped (RFC 9562, section 6.2, method 1).
///
/// Event ids have to be unique, not secret: their 62 bits of chance come from a fast generator (SplitMix64) that
/// starts where the system's generator says, and whoever has seen some of its ids could foretell others. UUIDs of
/// devices and sessions come from the system's generator itself. Like the log, a generator is not for both sides
/// of a `fork`.
public final class RandomTrackingIDs: TrackingIDs {
    /// The last id's millisecond, and its counter in the lowest twelve bits: one number that only rises.
    private let last = Atomic<UInt64>(0)
    private let randomState = Atomic(UInt64.random(in: 0 ... .max))

    /// Makes a generator.
    public init() {}

    public func eventID(at time: EventTime) -> EventID {
        let milliseconds = time.milliseconds & (1 << 52 - 1)
        var last = self.last.load(ordering: .relaxed)
        var next: UInt64
        var isFirst = false
        repeat {
            // Past the end of the counter's range the millisecond goes up.
            next = last &+ 1
            if milliseconds > last >> 12 {
                // Half of the counter's range is left for bumps within this millisecond.
                next = milliseconds << 12 | random() & 0x07FF
            }
            (isFirst, last) = self.last.weakCompareExchange(expected: last, desired: next, ordering: .relaxed)
        } while !isFirst
        return EventID(
            milliseconds: next >> 12, counter: UInt16(truncatingIfNeeded: next & 0x0FFF), random: random())
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): a counter with an odd step, its bits mixed.
    private func random() -> UInt64 {
        var bits = randomState.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    public func uuid() -> String { UUID().uuidString }
}
