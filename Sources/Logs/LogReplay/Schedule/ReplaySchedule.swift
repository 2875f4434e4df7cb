package import EventModel

/// When events are due.
package enum ReplayPace: Sendable, Equatable {
    /// As soon as the one before is on its way.
    case unpaced
    /// As far from each other as in the log, divided by `speed`; no pause is longer than `longestPause`.
    case log(speed: Double, longestPause: Duration?)
    /// So many a second, at equal distances.
    case rate(Double)
}

/// Gives each event the moment when it is due, counted from the first one.
///
/// The plan knows nothing of how fast anything is taken: what is late does not make later events later. It is the same
/// in every run over the same events.
package struct ReplaySchedule: Sendable {
    /// What is due later than this, 73 years after the first event, is due then.
    private static let end: Int64 = 1 << 61

    private let pace: ReplayPace
    private let longestPause: Int64
    /// How many events there were.
    private var count: Int64 = 0
    /// The latest time so far: a log may step back in time, a plan never does.
    private var latest: EventTime?
    private var last: Int64 = 0

    /// Makes a plan.
    package init(_ pace: ReplayPace) {
        self.pace = pace
        if case .log(_, let pause?) = pace {
            longestPause = min(pause.nanoseconds, Self.end)
        } else {
            longestPause = Self.end
        }
    }

    /// When the next event is due.
    ///
    /// - Parameter time: The event's own.
    /// - Returns: Nanoseconds since the first event; never less than for the one before.
    package mutating func due(_ time: EventTime) -> Int64 {
        defer { count += 1 }
        switch pace {
        case .unpaced: return 0
        // From the count, so that nothing adds up.
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

    /// Says that the events start again from the first: by the log's clock it is due at once.
    package mutating func startAgain() { latest = nil }
}

extension Duration {
    /// Whole nanoseconds; the largest there are for more.
    package var nanoseconds: Int64 {
        let (product, overflows) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product &+ components.attoseconds / 1_000_000_000
    }
}
