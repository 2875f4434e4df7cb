import CommandRunner
import LogStatistics
import Testing

@Suite("Retention by day")
struct RetentionStatisticsTests {
    private static let day: Int64 = 86_400

    private func table(
        _ visits: [(user: String, day: Int64)], cohorts: Int = 31, linesPerPart: Int = 7
    ) throws -> RetentionTable {
        let lines = visits.map { JourneyLine(user: $0.user, second: $0.day * Self.day + 5) }
        return try Journeys.of(lines, linesPerPart: linesPerPart).retention.table(maximumCohorts: cohorts)
    }

    private func counts(_ table: RetentionTable) -> [Int64: [Int]] {
        Dictionary(uniqueKeysWithValues: table.cohorts.map { ($0.day, $0.counts) })
    }

    private func shares(_ table: RetentionTable) -> [[Int]] { table.all.map { [$0.count, $0.of] } }

    @Test("Users count on the days after their first, in any order, up to the last day")
    func cohorts() throws {
        let found = try table([("a", 12), ("a", 10), ("b", 10), ("c", 11), ("a", 10), ("c", 12), ("d", 12)])
        #expect(
            counts(found) == [10: [2, 0, 1], 11: [1, 1], 12: [1]] && found.cohorts.map(\.day) == [10, 11, 12])
        #expect(found.cohorts.map(\.size) == [2, 1, 1] && found.earlierCohorts == 0)
        #expect(shares(found) == [[4, 4], [1, 3], [1, 2]])
    }

    @Test("Days begin at midnight UTC, before 1970 too")
    func midnight() throws {
        let lines = [-1, 0, Self.day - 1, Self.day].map { JourneyLine(second: $0) }
        let found = try Journeys.of(lines).retention.table(maximumCohorts: 31)
        #expect(counts(found) == [-1: [1, 1, 1]])
    }

    @Test("Only the last cohorts are listed, and days after the 31st after the first are ignored")
    func limits() throws {
        let found = try table([("a", 0), ("a", 31), ("a", 32), ("b", 40)], cohorts: 1)
        #expect(counts(found) == [40: [1]] && found.earlierCohorts == 1)
        #expect(found.all.count == 32 && shares(found)[0] == [2, 2])
        #expect(shares(found)[31] == [1, 1] && shares(found)[30] == [0, 1])
    }

    @Test("Random visits give the same as sets of days", arguments: 0..<20)
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let visits = (0..<200).map { _ in
            (
                user: "user-\(Int.random(in: 0..<30, using: &generator))",
                day: Int64.random(in: 100...160, using: &generator)
            )
        }
        let days = Dictionary(grouping: visits, by: \.user).mapValues { Set($0.map(\.day)) }
        let last = try #require(visits.map(\.day).max())
        let found = try table(visits, cohorts: 100)
        #expect(found.cohorts.reduce(0) { $0 + $1.size } == days.count)
        for cohort in found.cohorts {
            let users = days.values.filter { $0.min() == cohort.day }
            let expected = (0..<min(32, last - cohort.day + 1)).map { after in
                users.count { $0.contains(cohort.day + after) }
            }
            #expect(cohort.counts == expected)
        }
    }

    @Test("Beyond the limit a sample of the users represents all, to within two percent")
    func sample() throws {
        let users = 60_000
        let found = try table(
            (0..<2 * users).map { (user: "user-\($0 / 2)", day: Int64($0 % 2)) }, linesPerPart: 5000)
        #expect(abs(Double(found.all[0].of) / Double(users) - 1) < 0.02)
        #expect(found.cohorts.map(\.counts.count) == [2] && found.all[1].count == found.all[0].count)
    }
}
