/// Counts the days on which users returned after their first day, in UTC. Memory is constant: above ``maximumUsers``,
/// only a sample is followed, chosen by hash.
package struct RetentionStatistics: Sendable {
    /// The most users that are followed.
    package static let maximumUsers = 1 << 15
    /// The number of days, including a user's first.
    package static let days = 32

    private struct User {
        /// Days since 1970.
        var first: Int64
        /// The days with events as a bit mask; the lowest bit is the first day.
        var days: UInt32 = 1

        mutating func add(_ day: Int64) {
            if day < first {
                let shift = first - day
                days = shift < 32 ? days << UInt32(shift) | 1 : 1
                first = day
            } else if day - first < 32 {
                days |= 1 << UInt32(day - first)
            }
        }
    }

    private var users: HashSample<User>
    private var lastDay = Int64.min

    init(maximumUsers: Int = Self.maximumUsers) { users = HashSample(limit: maximumUsers) }

    @inline(__always)
    mutating func add(user: UInt64, time: Int64) {
        let day = TimeHistogram.floorDivide(time, 86_400_000_000)
        lastDay = max(lastDay, day)
        users.update(user, first: User(first: day)) { $0.add(day) }
    }

    /// The number of users that each sampled user represents; 1 without sampling.
    package var scale: Int { users.scale }

    /// The retention table.
    ///
    /// - Parameter maximumCohorts: The most cohorts to list; the latest are kept.
    package func table(maximumCohorts: Int) -> RetentionTable {
        var sizes: [Int64: Int] = [:]
        var all = Array(repeating: RetentionTable.Share(), count: Self.days)
        for user in users.values {
            sizes[user.first, default: 0] += scale
            for day in 0..<knownDays(after: user.first) {
                all[day].of += scale
                if user.days & 1 << day != 0 { all[day].count += scale }
            }
        }
        let shown = sizes.keys.sorted().suffix(maximumCohorts)
        var counts = Dictionary(
            uniqueKeysWithValues: shown.map { ($0, Array(repeating: 0, count: knownDays(after: $0))) })
        for user in users.values {
            for day in 0..<(counts[user.first]?.count ?? 0) where user.days & 1 << day != 0 {
                counts[user.first]?[day] += scale
            }
        }
        return RetentionTable(
            cohorts: shown.map { RetentionTable.Cohort(day: $0, counts: counts[$0] ?? []) },
            earlierCohorts: sizes.count - shown.count, all: Array(all.prefix { $0.of > 0 }))
    }

    /// The number of days from a day to the end of the log, including the day; at most ``days``.
    private func knownDays(after day: Int64) -> Int { Int(min(Int64(Self.days), lastDay - day + 1)) }
}

/// The users that returned N days after their first day.
package struct RetentionTable: Sendable {
    /// Users that were first seen on the same day.
    package struct Cohort: Sendable, Equatable {
        /// Days since 1970, in UTC.
        package let day: Int64
        /// The number of users with events on that day, the next day, and so on, up to the log's last day;
        /// extrapolated for a sample.
        package let counts: [Int]

        /// The number of users.
        package var size: Int { counts[0] }
    }

    /// A count, and the total that it is part of.
    package struct Share: Sendable, Equatable {
        package var count = 0
        package var of = 0
    }

    /// By day; days without new users are omitted.
    package let cohorts: [Cohort]
    package let earlierCohorts: Int
    /// All cohorts: for each day, the number of users for whom the log contains that day, and how many of them had
    /// events.
    package let all: [Share]
}
