internal import EventLog
public import EventModel
internal import Foundation
internal import Synchronization

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
    private let chance = Atomic(UInt64.random(in: 0 ... .max))

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
        var bits = chance.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    public func uuid() -> String { UUID().uuidString }
}
