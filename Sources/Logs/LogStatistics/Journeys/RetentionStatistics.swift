/// On which days after their first one users came back. Days are those of UTC. Memory is flat: past ``maximumUsers`` only
/// a sample of them is followed, chosen by hash.
package struct RetentionStatistics: Sendable {
    /// How many are followed at most.
    package static let maximumUsers = 1 << 15
    /// How many days are looked at: a user's first, and those after it.
    package static let days = 32

    private struct User {
        /// The number of the first day since 1970.
        var first: Int64
        /// A bit for each day with an event, the first day's the lowest.
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

    /// How many users each that was followed stands for; 1 if all were.
    package var scale: Int { users.scale }

    /// Who came back when.
    ///
    /// - Parameter maximumCohorts: How many cohorts are told apart at most: the last ones.
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

    /// How many days from a day on lie in the log, itself included; at most ``days``.
    private func knownDays(after day: Int64) -> Int { Int(min(Int64(Self.days), lastDay - day + 1)) }
}

/// How many users came back so many days after their first.
package struct RetentionTable: Sendable {
    /// Users that were first seen on the same day.
    package struct Cohort: Sendable, Equatable {
        /// The number of the day since 1970, in UTC.
        package let day: Int64
        /// How many had events on that day, a day later, and so on, up to the log's last day; of a sample, what all are
        /// expected to be.
        package let counts: [Int]

        /// How many users there are.
        package var size: Int { counts[0] }
    }

    /// How many of how many.
    package struct Share: Sendable, Equatable {
        package var count = 0
        package var of = 0
    }

    /// In the order of their days; days on which no user was first seen are left out.
    package let cohorts: [Cohort]
    /// How many cohorts came before these.
    package let earlierCohorts: Int
    /// All cohorts together: for each day after the first, the users for whom that day lies in the log, and how many of
    /// them had events.
    package let all: [Share]
}
