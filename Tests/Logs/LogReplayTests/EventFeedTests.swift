import EventQuery
import LogReplay
import Testing

@Suite("Batches of a replay")
struct EventFeedTests {
    private func cuts(_ plan: ReplayPlan, _ lines: [ReplayedLine], state: ReplayState) throws -> [EventFeed.Cut] {
        var feed = EventFeed(plan, state: state)
        var source = LinesSource(lines)
        var cuts: [EventFeed.Cut] = []
        while try source.next({ event throws(CannotRewrite) in try feed.add(event) }) { cuts += try feed.takeCuts() }
        return try cuts + feed.finish()
    }

    @Test("A batch ends by count, by bytes, and before events that are due too late")
    func limits() throws {
        let lines = ReplayedLine.lines(25)
        #expect(try cuts(.small(), lines, state: .fresh()).map(\.batch.count) == [10, 10, 5])
        var plan = ReplayPlan.small()
        plan.limits.bytes = 3 * (lines[0].text.utf8.count + 1)
        #expect(try cuts(plan, Array(lines[..<8]), state: .fresh()).map(\.batch.count) == [3, 3, 2])
        plan.limits.bytes = 10
        #expect(try cuts(plan, Array(lines[..<3]), state: .fresh()).map(\.batch.count) == [1, 1, 1])
        let paced = try cuts(.small(.rate(10), linger: .milliseconds(250)), lines, state: .fresh())
        #expect(paced.map(\.batch.count) == [3, 3, 3, 3, 3, 3, 3, 3, 1])
        #expect(paced.map(\.due).prefix(2) == [200_000_000, 500_000_000])
    }

    @Test("A user's events are all in one lane, in order")
    func lanes() throws {
        let lines = ReplayedLine.lines(500, users: 23)
        let batches = try cuts(.small(lanes: 4), lines, state: .fresh(lanes: 4)).map(\.batch)
        #expect(Set(batches.map(\.lane)) == [0, 1, 2, 3])
        for user in 0..<23 {
            let own = lines.filter { $0.user == "user-\(user)" }.map(\.text)
            let lanes = batches.filter { !Set($0.texts).isDisjoint(with: own) }.map(\.lane)
            #expect(Set(lanes).count == 1)
            #expect(batches.filter { $0.lane == lanes[0] }.flatMap(\.texts).filter(Set(own).contains) == own)
        }
    }

    @Test(
        "From any point between batches the same batches follow, byte for byte",
        arguments: [
            ReplayPace.unpaced, .rate(100), .log(speed: 2, longestPause: .seconds(1)),
        ])
    func resumes(pace: ReplayPace) throws {
        var lines = ReplayedLine.lines(300, users: 11)
        for index in lines.indices { lines[index].time = "\(1_536_753_247 + index * index % 41).\(index + 100)" }
        var plan = ReplayPlan.small(pace, lanes: 3, events: 7, linger: .milliseconds(300))
        plan.rewriting.hasNewIDs = true
        plan.rewriting.times = .shift(to: .now)
        let whole = try cuts(plan, lines, state: .fresh(lanes: 3))
        // The lanes are at different positions.
        for done in stride(from: 0, through: whole.count, by: 5) {
            var state = ReplayState.fresh(lanes: 3)
            var left: [ReplayBatch] = []
            for (index, batch) in whole.map(\.batch).enumerated() {
                if index < done + batch.lane * 2 {
                    state.lanes[batch.lane].events = batch.first + batch.count
                    state.lanes[batch.lane].checksum = batch.checksum
                } else {
                    left.append(batch)
                }
            }
            let rest = try cuts(plan, lines, state: state)
            #expect(rest.map(\.batch.body) == left.map(\.body))
            #expect(rest.map(\.batch.id) == left.map(\.id))
        }
    }

    @Test(
        "Lines that cannot be changed are also skipped when continuing",
        arguments: [ReplayPace.unpaced, .rate(100)])
    func resumesWithoutSome(pace: ReplayPace) throws {
        var lines = ReplayedLine.lines(60, users: 5)
        for index in lines.indices where index % 4 == 1 { lines[index].value = "7" }
        var plan = ReplayPlan.small(pace, lanes: 2, events: 4)
        plan.rewriting.settings = [try MemberSetting("event.value.page=3")]
        let whole = try cuts(plan, lines, state: .fresh(lanes: 2))
        #expect(whole.reduce(0) { $0 + $1.batch.count } == 45)
        for done in 0...whole.count {
            var state = ReplayState.fresh(lanes: 2)
            for batch in whole[..<done].map(\.batch) {
                state.lanes[batch.lane].events = batch.first + batch.count
                state.lanes[batch.lane].checksum = batch.checksum
            }
            #expect(try cuts(plan, lines, state: state).map(\.batch.body) == whole[done...].map(\.batch.body))
        }
    }

    @Test("Different lines than in the earlier run are rejected")
    func otherLines() throws {
        var state = ReplayState.fresh()
        let lines = ReplayedLine.lines(10)
        let first = try #require(try cuts(.small(events: 5), lines, state: state).first).batch
        state.lanes[0].events = 5
        state.lanes[0].checksum = first.checksum
        #expect(try cuts(.small(events: 5), lines, state: state).count == 1)
        var others = lines
        others[2].user = "a second user"
        #expect(throws: (any Error).self) { try cuts(.small(events: 5), others, state: state) }
        #expect(throws: (any Error).self) { try cuts(.small(events: 5), Array(lines[..<3]), state: state) }
    }
}
