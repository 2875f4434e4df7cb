import LogStatistics
import Testing

@Suite("Sessions")
struct SessionStatisticsTests {
    @Test("have durations and counts of events, in any order of their events", arguments: [1, 2, 100])
    func lengths(linesPerPart: Int) throws {
        let lines = [
            JourneyLine(session: "a", second: 100), JourneyLine(session: "b", second: 5000),
            JourneyLine(session: "a", second: 40), JourneyLine(session: "c", second: -3),
            JourneyLine(session: "a", second: 41), JourneyLine(session: "b", second: 1400),
        ]
        let sessions = try Journeys.of(lines, linesPerPart: linesPerPart).sessions
        // a: 60 s with 3 events; b: 3600 s with 2; c: 0 s with 1.
        #expect(sessions.seconds.classes.map(\.count) == [1, 0, 0, 1, 0, 0, 0, 1])
        #expect(sessions.seconds.median == 60 && sessions.seconds.highest == 3600)
        #expect(sessions.events.classes.map(\.count) == [1, 1, 1, 0, 0, 0, 0, 0])
        #expect(sessions.events.median == 2 && sessions.events.highest == 3)
        #expect(sessions.scale == 1)
    }

    @Test("The classes are adjacent from 0 on, and the last one is open")
    func classes() throws {
        for figures in [try Journeys.of([]).sessions.seconds, try Journeys.of([]).sessions.events] {
            for (left, right) in zip(figures.classes, figures.classes.dropFirst()) {
                #expect(left.through == right.from - 1)
            }
            #expect(figures.classes.last?.through == nil)
            #expect(figures.median == 0 && figures.highest == 0)
        }
    }

    @Test("Beyond the limit a sample of them represents all, to within two percent")
    func sample() throws {
        let count = 60_000
        let lines = (0..<count).lazy.flatMap { number in
            // Every third session has a second event, a minute later.
            (0..<(number.isMultiple(of: 3) ? 2 : 1)).map {
                JourneyLine(session: "session-\(number)", second: Int64($0) * 60)
            }
        }
        let sessions = try Journeys.of(Array(lines), linesPerPart: 5000).sessions
        #expect(sessions.scale == 2)
        let counts = sessions.events.classes.map { Double($0.count) }
        #expect(abs(counts.reduce(0, +) / Double(count) - 1) < 0.02)
        #expect(abs(counts[1] / counts[0] - 0.5) < 0.02)
        #expect(sessions.seconds.classes[3].count == sessions.events.classes[1].count)
    }
}
