public import EventModel
internal import Primitives

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The source of identifiers. Pass your own in tests and replays.
///
/// **Called under locks.** Each `send` requests ids while it holds the lock of the events' dispatcher and the log's
/// lock; for ``uuid()`` also the session's lock. All other threads that send wait meanwhile. An implementation
///
/// - must not send events and must not call the environment, the log or a dispatcher: the thread would deadlock;
/// - must not wait for another thread that may send: both would deadlock;
/// - must be fast: no files, no network, no waiting. ``RandomTrackingIDs`` takes a few nanoseconds per id.
///
/// You may use an atomic counter, or a lock of your own that is held only while the id is made. Ids are requested on
/// any thread and from several threads at the same time: the ``uuid()`` for a device is requested without these locks.
public protocol TrackingIDs: Sendable {
    /// Returns a new id for an event: a UUIDv7 of its time, greater than all earlier ids.
    ///
    /// Called once per event, with the locks of the dispatcher and the log held.
    func eventID(at time: EventTime) -> EventID

    /// Returns a new UUID in upper case, for a device or a session.
    ///
    /// For a session, called with the locks of the dispatcher, the log and the session held; for a device, without
    /// them.
    func uuid() -> String
}

/// Random identifiers. Event ids always increase, even if the clock stops or goes back: the generator then keeps the
/// last millisecond and increments a counter (RFC 9562, section 6.2, method 1).
///
/// Event ids are unique, but not secret: their 62 random bits come from a fast generator (SplitMix64), seeded by the
/// system's generator, and can be predicted from a few ids. UUIDs of devices and sessions come from the system's
/// generator directly. Don't use a generator on both sides of a `fork`.
public final class RandomTrackingIDs: TrackingIDs {
    /// The last id's millisecond, with its counter in the lowest twelve bits: one number that only increases.
    private let last = Atomic<UInt64>(0)
    private let pool = Locked(RandomPool())
    private let randomState = Atomic(UInt64.random(in: 0 ... .max))

    /// Makes a generator.
    public init() {}

    public func eventID(at time: EventTime) -> EventID {
        let milliseconds = time.milliseconds & (1 << 52 - 1)
        var last = self.last.load(ordering: .relaxed)
        var next: UInt64
        var isFirst = false
        repeat {
            // When the counter overflows, the millisecond increases.
            next = last &+ 1
            if milliseconds > last >> 12 {
                // Starts in the lower half of the counter's range, which leaves the upper half for increments within
                // this millisecond.
                next = milliseconds << 12 | random() & 0x07FF
            }
            (isFirst, last) = self.last.weakCompareExchange(expected: last, desired: next, ordering: .relaxed)
        } while !isFirst
        return EventID(
            milliseconds: next >> 12, counter: UInt16(truncatingIfNeeded: next & 0x0FFF), random: random())
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): a counter with an odd step and mixed bits.
    private func random() -> UInt64 {
        var bits = randomState.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    public func uuid() -> String {
        // Version 4, variant 1 (RFC 9562).
        let words = pool.withLock { $0.next() }
        let high = words.high & ~0xF000 | 0x4000
        let low = words.low >> 2 | 1 << 63
        return String(unsafeUninitializedCapacity: EventID.textLength) { text in
            guard let start = text.baseAddress else { return 0 }
            var bytes = LineBytes(at: start)
            bytes.uuid(high, low, letter: UInt8(ascii: "A"))
            return EventID.textLength
        }
    }
}

/// Random bits of the system, for several ids at a time: a request to the system is slower than an event.
private struct RandomPool {
    private var words = [UInt64](repeating: 0, count: 32)
    private var count = 0
    /// The process that has requested them: after a fork, both must not use the same.
    private var process: Int

    init() {
        ForkGuard.install()
        process = ForkGuard.generation
    }

    mutating func next() -> (high: UInt64, low: UInt64) {
        if count == 0 || process != ForkGuard.generation { fill() }
        count -= 2
        return (words[count], words[count + 1])
    }

    private mutating func fill() {
        count = words.count
        process = ForkGuard.generation
        #if canImport(Darwin)
            words.withUnsafeMutableBytes { arc4random_buf($0.baseAddress, $0.count) }
        #else
            let status = words.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { getentropy($0, bytes.count) } ?? -1
            }
            guard status != 0 else { return }
            // A system without the call.
            for index in words.indices { words[index] = .random(in: 0 ... .max) }
        #endif
    }
}
