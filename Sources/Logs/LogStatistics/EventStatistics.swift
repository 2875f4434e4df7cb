/// What was seen of one event.
package struct EventStatistics: Sendable {
    /// The name as lines write it, escapes resolved.
    package let name: String
    package private(set) var count = 0
    /// The lines' bytes, line feeds not counted.
    package private(set) var bytes = 0
    /// The longest line's.
    package private(set) var longest = 0
    /// Of users.
    package private(set) var users = UniqueCounter(exactLimit: 1 << 13)
    /// When.
    package private(set) var times = TimeHistogram()
    /// When, by the clock, if that was asked for.
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

/// What was seen of one install.
package struct InstallStatistics: Sendable {
    /// Events, doubles counted each time.
    package private(set) var count = 0
    /// Numbers seen at least once.
    package private(set) var seen = SeqRanges()
    /// Numbers seen more than once.
    package private(set) var doubles = SeqRanges()
    /// Events whose number had been seen before.
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

    /// How many ranges of numbers are told apart.
    var rangeCount: Int { seen.ranges.count + doubles.ranges.count }

    /// Tells half of them apart.
    mutating func forget() {
        seen.forget()
        doubles.forget()
    }

    /// The lowest number; 0 without events.
    package var firstSeq: Int64 { seen.ranges.first?.lowerBound ?? 0 }
    /// The highest number; 0 without events.
    package var lastSeq: Int64 { seen.ranges.last?.upperBound ?? 0 }

    /// How many numbers are missing between the first and the last.
    package var missing: Int64 { seen.forgotten + seen.gaps.reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 } }

    /// Whether there were so many gaps that a number which came late may have been taken for a double.
    package var isApproximate: Bool { seen.forgotten > 0 || doubles.forgotten > 0 }
}
