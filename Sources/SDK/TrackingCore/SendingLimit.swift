internal import EventModel
internal import Primitives

/// Protects against a runaway sending loop: limits the number of events per second of the tracker's clock.
///
/// Events beyond the limit are dropped and counted as ``/EventLog/DropReason/runaway``; the count restarts each second. The limit
/// also ends the loop of a subscriber that sends an event for each event it receives.
public struct SendingLimit: Hashable, Sendable {
    /// Events per second. 16 million or more means no limit.
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
    /// The second, with its event count in the lowest bits: one number, so that no lock is needed.
    private let current = Atomic<UInt64>(0)

    init(_ limit: SendingLimit?) {
        let most = (1 << Self.countBits) - 1
        self.limit = limit.flatMap { $0.eventsPerSecond < most ? UInt64(max($0.eventsPerSecond, 0)) : nil }
    }

    /// Counts an event, unless the limit of its second is reached.
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
