import CommandRunner
import LogStatistics
import Testing

@Suite("Events over time")
struct ClockHistogramTests {
    private func statistics(_ seconds: [Int64], names: [String] = ["launch"]) throws -> LogStatistics {
        let counter = StatisticsCounter()
        var statistics = LogStatistics(isByClock: true)
        for (index, second) in seconds.enumerated() {
            let line = JourneyLine(second: second, name: names[index % names.count])
            try Array(line.text.utf8).withUnsafeBytes { try counter.add($0) }
        }
        statistics.add(counter.takePart())
        return statistics
    }

    @Test(
        "The intervals are as long as the span needs",
        arguments: [
            (119, 1), (120, 5), (3600, 60), (86_400, 900), (30 * 86_400, 43_200), (365 * 86_400, 604_800),
            (10 * 365 * 86_400, 4 * 604_800 * 2),
        ] as [(Int64, Int64)])
    func widths(span: Int64, width: Int64) throws {
        let clock = try #require(try statistics([1_536_710_400, 1_536_710_400 + span]).clock)
        #expect(clock.width == width)
        #expect(clock.counts.reduce(0, +) == 2 && clock.counts.first == 1 && clock.counts.last == 1)
        #expect(clock.counts.count <= ClockHistogram.maximumBuckets)
    }

    @Test("Weeks begin on Mondays, days at midnight UTC")
    func starts() throws {
        // Wednesday, 2018-09-12, and 200 days later.
        let days = try #require(try statistics([1_536_753_247, 1_536_753_247 + 100 * 86_400]).clock)
        #expect(days.width == 86_400 && days.start == 1_536_710_400)
        let weeks = try #require(try statistics([1_536_753_247, 1_536_753_247 + 200 * 86_400]).clock)
        #expect(weeks.width == 604_800 && weeks.start == 1_536_537_600)
    }

    @Test("Random seconds are counted exactly, and so are all events per interval", arguments: 0..<20)
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let span = Int64.random(in: 1...100_000_000, using: &generator)
        let seconds = (0..<500).map { _ in Int64.random(in: -span...span, using: &generator) }
        let names = ["a", "b", "c"]
        let found = try statistics(seconds, names: names)
        let clock = try #require(found.clock)
        for (column, count) in clock.counts.enumerated() {
            let start = clock.start + Int64(column) * clock.width
            #expect(count == seconds.count { $0 >= start && $0 < start + clock.width })
        }
        var sums = Array(repeating: 0, count: clock.counts.count)
        for event in found.events {
            let counts = try #require(event.clock).counts(along: clock)
            #expect(counts.reduce(0, +) == event.count)
            sums = zip(sums, counts).map { $0 + $1 }
        }
        #expect(sums == clock.counts)
    }
}
