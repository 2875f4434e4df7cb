import LogReplay
import Testing

@Suite("A forecast of a replay")
struct ReplayForecastTests {
    private func plan(passes: Int, lanes: Int, events: Int, bytes: Int = 100_000) -> ReplayPlan {
        var plan = ReplayPlan.small(lanes: lanes, events: events)
        plan.limits.bytes = bytes
        plan.passes = passes
        plan.rewriting.hasNewIDs = true
        return plan
    }

    @Test(
        "Passes are counted by their batches, and equal ones are not read",
        arguments: [(1, 10, 100_000), (3, 10, 100_000), (3, 7, 1500), (2, 500, 4000)])
    func passes(lanes: Int, events: Int, bytes: Int) throws {
        let lines = ReplayedLine.lines(37, users: 7)
        for passes in [1, 2, 3, 20, 41, 200] {
            let plan = plan(passes: passes, lanes: lanes, events: events, bytes: bytes)
            var feed = EventFeed(plan, state: .fresh(lanes: lanes))
            var cuts: [EventFeed.Cut] = []
            for pass in 1...passes {
                if pass > 1 { feed.startAgain() }
                var source = LinesSource(lines)
                while try source.next({ event throws(CannotRewrite) in try feed.add(event) }) {}
                cuts += try feed.takeCuts()
            }
            cuts += try feed.finish()
            var source = LinesSource(lines)
            let forecast = try ReplayForecast(plan, &source, state: .fresh(lanes: lanes))
            #expect(forecast.events == passes * 37)
            #expect(forecast.batches == cuts.count)
            #expect(forecast.bytes == cuts.reduce(0) { $0 + $1.batch.body.count })
            for lane in 0..<lanes {
                #expect(forecast.lanes[lane].batches == cuts.filter { $0.batch.lane == lane }.count)
            }
        }
    }

    @Test("A million passes are read only as often as they differ; more than can be counted are rejected")
    func many() throws {
        var source = LinesSource(ReplayedLine.lines(30))
        let forecast = try ReplayForecast(plan(passes: 1_000_000, lanes: 1, events: 20), &source, state: .fresh())
        #expect(forecast.events == 30_000_000 && forecast.batches == 1_500_000)
        #expect(source.passes < 10)
        var again = LinesSource(ReplayedLine.lines(30))
        let error = #expect(throws: ReplayError.self) {
            _ = try ReplayForecast(plan(passes: .max, lanes: 1, events: 20), &again, state: .fresh())
        }
        #expect(error?.code == .tooManyPasses)
    }

    @Test("After an earlier run only the rest is counted")
    func rest() throws {
        let lines = ReplayedLine.lines(30)
        let plan = plan(passes: 50, lanes: 1, events: 20)
        var state = ReplayState.fresh()
        var feed = EventFeed(plan, state: state)
        for pass in 1...2 {
            if pass > 1 { feed.startAgain() }
            var source = LinesSource(lines)
            while try source.next({ event throws(CannotRewrite) in try feed.add(event) }) {}
        }
        let third = try #require(try feed.takeCuts().dropFirst(2).first).batch
        state.lanes[0].events = third.first + third.count
        state.lanes[0].checksum = third.checksum
        var source = LinesSource(lines)
        let forecast = try ReplayForecast(plan, &source, state: state)
        #expect(forecast.events == 50 * 30 - 60 && forecast.batches == 72 && forecast.alreadyDone == 60)
    }

    @Test("Without an event there is no second pass")
    func nothing() throws {
        var source = LinesSource([])
        var plan = plan(passes: 1_000_000, lanes: 1, events: 20)
        plan.pace = .rate(1)
        #expect(try ReplayForecast(plan, &source, state: .fresh()).events == 0)
        #expect(source.passes == 1)
    }
}
