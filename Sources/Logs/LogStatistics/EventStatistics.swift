internal import Primitives

/// The statistics of an event.
package struct EventStatistics: Sendable {
    /// The name, with escapes resolved.
    package let name: String
    package private(set) var count = 0
    /// The bytes of the lines, without line feeds.
    package private(set) var bytes = 0
    /// The bytes of the longest line.
    package private(set) var longest = 0
    /// Distinct users.
    package private(set) var users = UniqueCounter(exactLimit: 1 << 13)
    /// Events over time.
    package private(set) var times = TimeHistogram()
    /// Events over clock time, if requested.
    package private(set) var clock: ClockHistogram?

    init(name: String, clock: ClockHistogram?) {
        self.name = name
        self.clock = clock
    }

    mutating func add(_ part: StatisticsPart.Event) {
        count += part.count
        bytes += part.bytes
        longest = max(longest, part.longest)
        for user in part.users { users.insert(user) }
        for (second, count) in part.seconds {
            times.add(count, second: second)
            clock?.add(count, second: second)
        }
    }
}

package struct InstallStatistics: Sendable {
    /// The number of events, including duplicates.
    package private(set) var count = 0
    /// Numbers seen at least once.
    package private(set) var seen = SeqRanges()
    /// Numbers seen more than once.
    package private(set) var doubles = SeqRanges()
    /// Events whose number was seen before.
    package private(set) var doubleCount = 0

    @inline(__always)
    mutating func add(_ run: ClosedRange<Int64>) {
        count += Int(run.upperBound - run.lowerBound + 1)
        let known = seen.insert(run)
        if !known.isEmpty { addDoubles(known) }
    }

    private mutating func addDoubles(_ runs: [ClosedRange<Int64>]) {
        for run in runs {
            doubleCount += Int(run.upperBound - run.lowerBound + 1)
            _ = doubles.insert(run)
        }
    }

    /// The number of ranges kept.
    var rangeCount: Int { seen.ranges.count + doubles.ranges.count }

    /// Halves the number of ranges kept.
    mutating func forget() {
        seen.forget()
        doubles.forget()
    }

    /// The lowest number; 0 without events.
    package var firstSeq: Int64 { seen.ranges.first?.lowerBound ?? 0 }
    /// The highest number; 0 without events.
    package var lastSeq: Int64 { seen.ranges.last?.upperBound ?? 0 }

    /// The count of missing numbers between the first and the last.
    package var missing: Int64 { (seen.forgotten + seen.gaps.lazy.map { SaturatingCount(of: $0) }.sum).value }

    /// Whether there were too many gaps, so that late numbers may have been counted as duplicates.
    package var isApproximate: Bool { seen.forgotten > 0 || doubles.forgotten > 0 }
}
