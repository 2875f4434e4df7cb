internal import EventModel
internal import Primitives

/// A guard against a runaway sending loop: at most so many events within one second of the clock.
///
/// What comes past it is a drop, counted as ``DropReason/runaway``; the next second starts anew. A subscriber
/// that sends an event for each event it sees is cut off the same way.
public struct SendingLimit: Hashable, Sendable {
    /// Events a second. Sixteen millions and more are no limit.
    public var eventsPerSecond: Int

    /// Makes a limit.
    public init(eventsPerSecond: Int) { self.eventsPerSecond = eventsPerSecond }

    /// 5,000 events a second.
    public static let standard = SendingLimit(eventsPerSecond: 5_000)
}

/// Counts the events of the current second.
final class SendingRate: Sendable {
    private static let countBits: UInt64 = 24

    private let limit: UInt64?
    /// The second, and its events so far in the lowest bits: one number, so that it needs no lock.
    private let current = Atomic<UInt64>(0)

    init(_ limit: SendingLimit?) {
        let most = (1 << Self.countBits) - 1
        self.limit = limit.flatMap { $0.eventsPerSecond < most ? UInt64(max($0.eventsPerSecond, 0)) : nil }
    }

    /// Counts an event, unless the second has had its share.
    func allows(at time: EventTime) -> Bool {
        guard let limit else { return true }
        let second = UInt64(bitPattern: time.microseconds / 1_000_000) << Self.countBits
        var current = self.current.load(ordering: .relaxed)
        var isCounted = false
        repeat {
            let next = current >> Self.countBits == second >> Self.countBits ? current + 1 : second + 1
            guard next - second <= limit else { return false }
            (isCounted, current) = self.current.weakCompareExchange(
                expected: current, desired: next, ordering: .relaxed)
        } while !isCounted
        return true
    }
}
