package import EventModel

package enum ReplayPace: Sendable, Equatable {
    /// Without waiting.
    case unpaced
    /// The intervals of the log, divided by `speed`, limited to `longestPause`.
    case log(speed: Double, longestPause: Duration?)
    /// Events per second, at equal intervals.
    case rate(Double)
}

/// Computes the due time of each event, relative to the first.
///
/// The schedule does not depend on the sink's speed: late events don't delay later ones. It is the same in every run
/// over the same events.
package struct ReplaySchedule: Sendable {
    /// The limit on due times, 73 years after the first event.
    private static let end: Int64 = 1 << 61

    private let pace: ReplayPace
    private let longestPause: Int64
    /// The number of events so far.
    private var count: Int64 = 0
    /// The latest time so far. A log's clock may go backwards; due times never do.
    private var latest: EventTime?
    private var last: Int64 = 0

    package init(_ pace: ReplayPace) {
        self.pace = pace
        if case .log(_, let pause?) = pace {
            longestPause = min(pause.nanoseconds, Self.end)
        } else {
            longestPause = Self.end
        }
    }

    /// The due time of the next event.
    ///
    /// - Parameter time: The event's time.
    /// - Returns: Nanoseconds since the first event; never less than for the previous event.
    package mutating func due(_ time: EventTime) -> Int64 {
        defer { count += 1 }
        switch pace {
        case .unpaced: return 0
        // Compute from the count to avoid accumulating rounding errors.
        case .rate(let rate): return Int64(min((Double(count) * 1e9 / rate).rounded(), Double(Self.end)))
        case .log(let speed, _):
            guard let latest else {
                self.latest = time
                return last
            }
            guard time > latest else { return last }
            let (distance, overflows) = time.microseconds.subtractingReportingOverflow(latest.microseconds)
            let pause = overflows ? nil : Int64(exactly: (Double(distance) * 1000 / speed).rounded())
            last = min(last + min(pause ?? longestPause, longestPause), Self.end)
            self.latest = time
            return last
        }
    }

    /// Starts another pass: by the log's clock, its first event is due immediately.
    package mutating func startAgain() { latest = nil }
}

extension Duration {
    /// Whole nanoseconds, clamped to the largest integer.
    package var nanoseconds: Int64 {
        let (product, overflows) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product &+ components.attoseconds / 1_000_000_000
    }
}
