import CommandRunner
import EventModel
import Foundation
import LogStatistics
import Testing

@Suite("Statistics of lines")
struct LogStatisticsTests {
    private func line(
        _ seq: Int64, _ name: String = "launch", install: String = "i", user: String = "u", session: String = "s",
        second: Int64 = 0
    ) -> String {
        """
        {"install_id":"\(install)","seq":\(seq),"session_id":"\(session)","user_id":"\(user)","time":\(second).5,\
        "event":{"name":"\(name)"}}
        """
    }

    /// The statistics of these lines, from parts of this many lines each.
    private func statistics(
        _ lines: [String], linesPerPart: Int = 3, by step: TimeSteps.Step? = nil, in zone: TimeZone? = nil
    ) throws -> LogStatistics {
        let counter = StatisticsCounter()
        var statistics = LogStatistics(by: step, in: zone)
        for (index, line) in lines.enumerated() {
            try Array(line.utf8).withUnsafeBytes { try counter.add($0) }
            if (index + 1).isMultiple(of: linesPerPart) { statistics.add(counter.takePart()) }
        }
        statistics.add(counter.takePart())
        return statistics
    }

    @Test("Counts, bytes, users, sessions and times, whatever parts the lines are read in", arguments: [1, 2, 3, 100])
    func counts(linesPerPart: Int) throws {
        let lines = [
            line(1), line(2, "search", user: "v", second: 7), line(3, user: "v", session: "t", second: 3),
            line(1, "l\\u0061unch", install: "j", second: 9),
        ]
        let found = try statistics(lines, linesPerPart: linesPerPart)
        #expect(found.total == 4)
        #expect(found.bytes == lines.reduce(0) { $0 + $1.utf8.count })
        #expect(found.users.count == 2 && !found.users.isApproximate)
        #expect(found.sessions.count == 2)
        #expect(found.firstTime?.microseconds == 500_000 && found.lastTime?.microseconds == 9_500_000)
        #expect(found.installs.map(\.id) == ["i", "j"])
        #expect(found.events.map(\.name) == ["launch", "launch", "search"])
        #expect(found.events[0].count == 2 && found.events[0].users.count == 2)
        #expect(found.events[0].longest == lines[2].utf8.count)
    }

    @Test("Missing and duplicate events, in any order of the numbers", arguments: [1, 2, 5])
    func seqs(linesPerPart: Int) throws {
        let found = try statistics([9, 8, 1, 3, 3, 2, 2, 2].map { line($0) }, linesPerPart: linesPerPart)
        let install = try #require(found.installs.first?.statistics)
        #expect(install.count == 8 && install.doubleCount == 3 && install.missing == 4)
        #expect(install.seen.ranges == [1...3, 8...9] && Array(install.seen.gaps) == [4...7])
        #expect(install.doubles.ranges == [2...3])
        #expect(install.firstSeq == 1 && install.lastSeq == 9 && !install.isApproximate)
    }

    @Test("Random numbers give the same missing and duplicate events as a set")
    func randomSeqs() throws {
        var generator = SeededGenerator(seed: 11)
        let seqs = (0..<2000).map { _ in Int64.random(in: 1...1500, using: &generator) }
        let install = try #require(try statistics(seqs.map { line($0) }, linesPerPart: 7).installs.first?.statistics)
        let set = Set(seqs)
        #expect(install.doubleCount == seqs.count - set.count, "\(seqs)")
        let span = try #require(set.max()) - #require(set.min()) + 1
        #expect(install.missing == span - Int64(set.count), "\(seqs)")
    }

    @Test("Beyond the limit of ranges, missing numbers are still counted, marked as an estimate")
    func forgottenGaps() throws {
        #expect(LogStatistics.maximumRanges == 1 << 19)
        // Fewer, to exceed them sooner.
        let (count, maximumRanges): (Int64, Int) = (40_000, 1 << 15)
        var statistics = LogStatistics(maximumRanges: maximumRanges)
        let counter = StatisticsCounter()
        for seq in 1...count { try Array(line(seq * 2).utf8).withUnsafeBytes { try counter.add($0) } }
        statistics.add(counter.takePart())
        let install = try #require(statistics.installs.first?.statistics)
        #expect(install.missing == count - 1 && install.doubleCount == 0)
        #expect(install.isApproximate)
        #expect(install.seen.ranges.count <= maximumRanges)
    }

    @Test("The ranges of all installs together are limited, and missing numbers are counted all the same")
    func forgottenGapsOfMany() throws {
        var statistics = LogStatistics(maximumRanges: 100)
        let counter = StatisticsCounter()
        for seq in 1...50 as ClosedRange<Int64> {
            for install in 0..<20 {
                try Array(line(seq * 2, install: "install-\(install)").utf8).withUnsafeBytes { try counter.add($0) }
            }
            statistics.add(counter.takePart())
            #expect(statistics.installs.reduce(0) { $0 + $1.statistics.seen.ranges.count } <= 100)
        }
        #expect(statistics.installs.map(\.statistics.missing) == Array(repeating: 49, count: 20))
        #expect(statistics.missing == 980 && statistics.installs.allSatisfy { $0.statistics.isApproximate })
    }

    @Test("Beyond the exact limit users are estimated to within two percent")
    func manyUsers() throws {
        let counter = StatisticsCounter()
        var statistics = LogStatistics()
        let users = 140_000  // more than are counted exactly
        for user in 0..<users {
            try Array(line(1, user: "user-\(user)").utf8).withUnsafeBytes { try counter.add($0) }
            if user.isMultiple(of: 1000) { statistics.add(counter.takePart()) }
        }
        statistics.add(counter.takePart())
        #expect(statistics.users.isApproximate)
        #expect(abs(Double(statistics.users.count) / Double(users) - 1) < 0.02)
        #expect(statistics.sessions.count == 1 && !statistics.sessions.isApproximate)
    }

    @Test("Names beyond the limit are counted together, installs beyond it by their events")
    func limits() throws {
        let found = try statistics((1...1500).map { line($0, "event-\($0)") })
        #expect(found.events.count == LogStatistics.maximumEvents + 1)
        #expect(found.events.first?.name == LogStatistics.otherEvents && found.events.first?.count == 500)
        let installs = try statistics((1...10_100).map { line(1, install: "install-\($0)") }, linesPerPart: 50)
        #expect(installs.installs.count == LogStatistics.maximumInstalls && installs.uncheckedEvents == 100)
    }

    @Test("Intervals begin at full hours, before 1970 too")
    func steps() throws {
        let lines = [line(1, second: 3599), line(2, "search", second: 3600), line(3, second: -1), line(4, second: 0)]
        // A time of -1.5 s is in the hour before 1970.
        let rows = try #require(try statistics(lines, by: .hour).steps).rows
        #expect(rows.map(\.start) == [-3600, 0, 3600])
        #expect(rows.map(\.event) == ["launch", "launch", "search"])
        #expect(rows.map(\.count) == [1, 2, 1])
    }

    /// The starts of the intervals with events at these times, in seconds since 1970.
    private func starts(_ times: [String], by step: TimeSteps.Step, in zone: String? = nil) throws -> [String] {
        let seconds = try times.map { try #require(EventTime(rfc3339: $0)).microseconds / 1_000_000 }
        let zone = try zone.map { try #require(TimeZone(identifier: $0)) }
        let lines = seconds.enumerated().map { line(Int64($0.offset) + 1, second: $0.element) }
        let rows = try #require(try statistics(lines, by: step, in: zone).steps).rows
        #expect(rows.reduce(0) { $0 + $1.count } == times.count)
        return rows.map { String(EventTime(seconds: $0.start).rfc3339.prefix(16)) }
    }

    @Test("Weeks begin on Mondays, months on their first day, in any year")
    func calendar() throws {
        let times = ["2018-09-09T23:59:59Z", "2018-09-10T00:00:00Z", "2018-09-16T23:00:00Z", "1969-12-31T00:00:00Z"]
        #expect(try starts(times, by: .week) == ["1969-12-29T00:00", "2018-09-03T00:00", "2018-09-10T00:00"])
        #expect(try starts(times, by: .month) == ["1969-12-01T00:00", "2018-09-01T00:00"])
        let leap = ["2020-02-29T12:00:00Z", "2020-03-01T00:00:00Z", "1900-02-28T23:59:59Z", "1900-03-01T00:00:01Z"]
        #expect(
            try starts(leap, by: .month) == [
                "1900-02-01T00:00", "1900-03-01T00:00", "2020-02-01T00:00", "2020-03-01T00:00",
            ])
    }

    @Test("Days of a zone have 23, 24 or 25 hours; an hour that occurs twice is two intervals")
    func zones() throws {
        // Berlin set its clocks back on 2018-10-28 at 01:00 UTC, and forward on 2018-03-25.
        let autumn = ["2018-10-27T22:00:00Z", "2018-10-28T00:30:00Z", "2018-10-28T01:30:00Z", "2018-10-28T22:59:59Z"]
        #expect(try starts(autumn, by: .day, in: "Europe/Berlin") == ["2018-10-27T22:00"])
        #expect(try starts(["2018-10-28T23:00:00Z"], by: .day, in: "Europe/Berlin") == ["2018-10-28T23:00"])
        #expect(
            try starts(autumn, by: .hour, in: "Europe/Berlin") == [
                "2018-10-27T22:00", "2018-10-28T00:00", "2018-10-28T01:00", "2018-10-28T22:00",
            ])
        let spring = ["2018-03-24T23:00:00Z", "2018-03-25T21:59:59Z", "2018-03-25T22:00:00Z"]
        #expect(try starts(spring, by: .day, in: "Europe/Berlin") == ["2018-03-24T23:00", "2018-03-25T22:00"])
        // Hours of a zone that is half an hour off begin at half past.
        #expect(try starts(["2018-09-12T11:54:07Z"], by: .hour, in: "Asia/Kolkata") == ["2018-09-12T11:30"])
        // On that day clocks in São Paulo went from midnight to one o'clock: 03:00 UTC.
        let gap = ["2018-11-04T03:00:00Z", "2018-11-05T01:59:59Z", "2018-11-04T02:59:59Z"]
        #expect(try starts(gap, by: .day, in: "America/Sao_Paulo") == ["2018-11-03T03:00", "2018-11-04T03:00"])
        #expect(
            try starts(["2018-10-31T22:30:00Z", "2018-10-31T23:00:00Z"], by: .month, in: "Europe/Berlin")
                == ["2018-09-30T22:00", "2018-10-31T23:00"])
    }

    @Test("A line without a number, a time or an install is rejected, and nothing of it counted")
    func refused() throws {
        let counter = StatisticsCounter()
        for line in [#"{"event":{"name":"a"}}"#, line(1).replacing("\"seq\":1", with: "\"seq\":1.5"), "x"] {
            #expect(throws: (any Error).self) { try Array(line.utf8).withUnsafeBytes { try counter.add($0) } }
        }
        #expect(counter.takePart().lines == 0)
    }

    @Test("Events over time keep their total and their shares, for any span")
    func columns() throws {
        let seconds = (0..<3000).map { Int64($0 * 1000) }
        let times = try statistics(seconds.map { line($0 + 1, second: $0) }, linesPerPart: 100).times
        #expect(times.counts.count <= TimeHistogram.maximumBuckets)
        #expect(times.counts.reduce(0, +) == 3000)
        let columns = times.columns(10, from: 0, through: 2_999_000)
        #expect(abs(columns.reduce(0, +) - 3000) < 1e-6)
        #expect(columns.allSatisfy { abs($0 - 300) < 5 })
    }
}
