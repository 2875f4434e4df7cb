import CommandRunner
import EventModel
import EventQuery
import LogStatistics
import Testing

@Suite("Funnels")
struct FunnelStatisticsTests {
    private func plan(
        _ steps: String, by walker: FunnelPlan.Walker = .user, within: Duration? = nil
    ) throws -> FunnelPlan {
        let steps = try EventStep.list(steps, now: EventTime(microseconds: 0))
        return FunnelPlan(steps: steps, walker: walker, within: within)
    }

    private func counts(_ lines: [JourneyLine], _ plan: FunnelPlan, linesPerPart: Int = 3) throws -> [Int] {
        try #require(try Journeys.of(lines, funnels: [plan], linesPerPart: linesPerPart).funnels.first).counts
    }

    @Test("count users who do the steps in order, whatever happens in between", arguments: [1, 2, 100])
    func order(linesPerPart: Int) throws {
        let lines = [
            JourneyLine(user: "whole", second: 1, name: "a"), JourneyLine(user: "first", second: 2, name: "a"),
            JourneyLine(user: "backwards", second: 3, name: "b"), JourneyLine(user: "whole", second: 4, name: "x"),
            JourneyLine(user: "whole", second: 5, name: "b"), JourneyLine(user: "backwards", second: 6, name: "a"),
            JourneyLine(user: "skipping", second: 7, name: "a"), JourneyLine(user: "skipping", second: 8, name: "c"),
            JourneyLine(user: "whole", second: 9, name: "c"), JourneyLine(user: "whole", second: 10, name: "a"),
        ]
        #expect(try counts(lines, plan("a > b > c"), linesPerPart: linesPerPart) == [4, 1, 1])
    }

    @Test("One event counts for one step, even if it matches two")
    func sameStep() throws {
        let one = [JourneyLine(name: "a")]
        #expect(try counts(one, plan("a > a")) == [1, 0])
        #expect(try counts(one + one, plan("a > *")) == [1, 1])
    }

    @Test("Sessions are counted, too")
    func bySession() throws {
        let lines = [JourneyLine(session: "s", name: "a"), JourneyLine(session: "t", name: "b")]
        #expect(try counts(lines, plan("a > b")) == [1, 1])
        #expect(try counts(lines, plan("a > b", by: .session)) == [1, 0])
    }

    @Test("Within a time limit the best of several first steps counts, and the limit is inclusive")
    func within() throws {
        let lines = [
            JourneyLine(second: 0, name: "a"), JourneyLine(second: 50, name: "b"),
            JourneyLine(second: 100, name: "a"), JourneyLine(second: 130, name: "b"),
            JourneyLine(second: 160, name: "c"),
        ]
        #expect(try counts(lines, plan("a > b > c", within: .seconds(60))) == [1, 1, 1])
        #expect(try counts(lines, plan("a > b > c", within: .seconds(59))) == [1, 1, 0])
        #expect(try counts(lines, plan("a > b > c", within: .seconds(29))) == [1, 0, 0])
    }

    @Test("Steps before a later one of the same user are counted")
    func disorder() throws {
        let lines = [JourneyLine(second: 9, name: "a"), JourneyLine(second: 3, name: "b"), JourneyLine(second: 1)]
        let funnel = try #require(try Journeys.of(lines, funnels: [plan("a > b")]).funnels.first)
        #expect(funnel.disorderedCount == 1)
    }

    /// How many of some users completed each step, by trying every choice of events.
    private func bruteForce(_ lines: [JourneyLine], _ names: [String], within: Int64) -> [Int] {
        var reached = Array(repeating: 0, count: names.count)
        for events in Dictionary(grouping: lines, by: \.user).values {
            func longest(_ step: Int, from position: Int, start: Int64?) -> Int {
                guard step < names.count else { return step }
                return events.indices.dropFirst(position).reduce(step) { best, index in
                    let event = events[index]
                    guard event.name == names[step], event.second - (start ?? event.second) <= within else {
                        return best
                    }
                    return max(best, longest(step + 1, from: index + 1, start: start ?? event.second))
                }
            }
            for step in 0..<longest(0, from: 0, start: nil) { reached[step] += 1 }
        }
        return reached
    }

    @Test("Random events give the same as trying every choice", arguments: 0..<40)
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var second: Int64 = 0
        let lines = (0..<60).map { _ in
            second += Int64.random(in: 0...9, using: &generator)
            let user = "user-\(Int.random(in: 0..<5, using: &generator))"
            return JourneyLine(
                user: user, second: second, name: ["a", "b", "c", "x"][Int.random(in: 0..<4, using: &generator)])
        }
        let within = Int64.random(in: 0...120, using: &generator)
        for names in [["a", "b", "c"], ["a", "a", "b"], ["c", "b"]] {
            let found = try counts(lines, plan(names.joined(separator: ">"), within: .seconds(within)))
            #expect(found == bruteForce(lines, names, within: within), "within \(within) s: \(lines)")
        }
    }

    @Test("Beyond the limit a sample of the users represents all, to within three percent")
    func sample() throws {
        let users = 40_000
        let lines = (0..<users).flatMap { number in
            [JourneyLine(user: "user-\(number)", name: "a")]
                + (number.isMultiple(of: 4) ? [JourneyLine(user: "user-\(number)", name: "b")] : [])
        }
        let funnel = try #require(
            try Journeys.of(lines, funnels: [plan("a > b")], linesPerPart: 5000).funnels.first)
        #expect(funnel.scale == 4)
        #expect(abs(Double(funnel.counts[0]) / Double(users) - 1) < 0.03)
        #expect(abs(Double(funnel.counts[1]) / Double(funnel.counts[0]) - 0.25) < 0.03)
    }
}
