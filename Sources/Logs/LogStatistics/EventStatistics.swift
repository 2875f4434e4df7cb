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
