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
