import CommandRunner
import EventLog
import EventModel
import Foundation
import LogReplay
import Primitives
import Testing

@Suite("Sending by a schedule")
struct ReplayEngineTests {
    private let clock = JumpingClock()
    private let brake = Brake()

    private func engine(_ plan: ReplayPlan, _ sink: ScriptedSink) -> ReplayEngine<JumpingClock> {
        ReplayEngine(plan, sink: sink, clock: clock, brake: brake) { EventTime(seconds: 3_000_000_000) }
    }

    @Test("Without delay everything is on time")
    func onTime() async throws {
        let sink = ScriptedSink()
        let engine = engine(.small(.rate(10), linger: .milliseconds(400)), sink)
        var source = LinesSource(ReplayedLine.lines(20))
        try await engine.run(&source, state: .fresh(), file: nil)
        #expect(sink.batches.map(\.count) == [5, 5, 5, 5])
        #expect(clock.now == .milliseconds(1900))
        #expect(engine.tally.figures.lateness.maximum == .zero)
        #expect(engine.tally.figures.lateness.count == 20)
        #expect(engine.tally.figures.result.kept == 20)
    }

    @Test("A slow answer delays what follows, but not what is due later")
    func slowSink() async throws {
        let clock = clock
        let sink = ScriptedSink { batch, call in
            // Batches are due at 400, 900, 1400 and 1900 ms.
            if call == 0 { clock.advance(by: .milliseconds(1200)) }
            return .delivered(.init(kept: batch.count))
        }
        let engine = engine(.small(.rate(10), linger: .milliseconds(400)), sink)
        var source = LinesSource(ReplayedLine.lines(20))
        try await engine.run(&source, state: .fresh(), file: nil)
        let lateness = engine.tally.figures.lateness
        #expect(lateness.maximum == .milliseconds(700))
        #expect(lateness.quantile(0.5) == .zero)
        #expect(abs((lateness.quantile(0.75) - .milliseconds(200)) / .milliseconds(1)) <= 200 / 32)
        #expect(clock.now == .milliseconds(1900))
    }

    @Test("Each lane keeps its order")
    func lanes() async throws {
        let sink = ScriptedSink()
        let lines = ReplayedLine.lines(1000, users: 17)
        var source = LinesSource(lines)
        try await engine(.small(lanes: 4), sink).run(&source, state: .fresh(lanes: 4), file: nil)
        #expect(sink.taken.flatMap(\.texts).sorted() == lines.map(\.text).sorted())
        for lane in 0..<4 {
            let own = sink.taken.filter { $0.lane == lane }
            #expect(own.map(\.first) == own.map(\.first).sorted())
        }
    }

    @Test("A waiting lane does not block the others", .timeLimit(.minutes(5)))
    func heldLane() async throws {
        let lines = ReplayedLine.lines(4000, users: 17)
        let free = ScriptedSink()
        var source = LinesSource(lines)
        try await engine(.small(lanes: 4), free).run(&source, state: .fresh(lanes: 4), file: nil)
        let others = free.taken.filter { $0.lane != 0 }.reduce(0) { $0 + $1.count }
        #expect(others > 1000 && others < 3900)
        let held = HeldLaneSink(untilOthersHave: others)
        var again = LinesSource(lines)
        try await ReplayEngine(.small(lanes: 4), sink: held, clock: clock, brake: Brake()) { EventTime(seconds: 0) }
            .run(&again, state: .fresh(lanes: 4), file: nil)
        let taken = await held.taken
        #expect(taken.flatMap(\.texts).sorted() == lines.map(\.text).sorted())
        #expect(taken.firstIndex { $0.lane == 0 } ?? 0 > (taken.lastIndex { $0.lane != 0 } ?? .max))
    }

    @Test("A batch to be retried is retried unchanged, after the requested delay")
    func retries() async throws {
        let sink = ScriptedSink { batch, call in
            switch call {
            case 0: .retry(after: .seconds(7), SinkReason(status: 429, "busy"))
            case 1: .unreachable(SinkReason("away"))
            default: .delivered(.init(kept: batch.count))
            }
        }
        let engine = engine(.small(), sink)
        var source = LinesSource(ReplayedLine.lines(10))
        try await engine.run(&source, state: .fresh(), file: nil)
        #expect(Set(sink.batches.map(\.id)).count == 1 && sink.batches.count == 3)
        #expect(clock.now >= .seconds(7) && clock.now < .seconds(8))
        #expect(engine.tally.figures.retries == 2)
    }

    @Test("Patience ends with an error; an absent endpoint is one immediately")
    func givesUp() async throws {
        let busy = ScriptedSink { _, _ in .retry(after: nil, SinkReason(status: 503, "busy")) }
        var source = LinesSource(ReplayedLine.lines(10))
        let error = await #expect(throws: ReplayError.self) {
            try await engine(.small(), busy).run(&source, state: .fresh(), file: nil)
        }
        #expect(error?.code == .unavailable)
        #expect(clock.now <= .seconds(60) && clock.now > .seconds(40))
        let away = ScriptedSink { _, _ in .unreachable(SinkReason("away")) }
        var other = LinesSource(ReplayedLine.lines(10))
        let second = ReplayEngine(.small(), sink: away, clock: clock, brake: Brake()) { EventTime(seconds: 0) }
        await #expect(throws: ReplayError.self) { try await second.run(&other, state: .fresh(), file: nil) }
        #expect(away.batches.count == 1)
    }

    @Test("A batch that is too large for the sink is halved, down to single events, in order")
    func halves() async throws {
        let sink = ScriptedSink { batch, _ in
            batch.count > 2 ? .tooLarge(SinkReason(status: 413, "large")) : .delivered(.init(kept: batch.count))
        }
        let lines = ReplayedLine.lines(10)
        var source = LinesSource(lines)
        try await engine(.small(), sink).run(&source, state: .fresh(), file: nil)
        #expect(sink.taken.flatMap(\.texts) == lines.map(\.text))
        #expect(sink.batches.map(\.count) == [10, 5, 3, 2, 1, 2, 5, 3, 2, 1, 2])
    }

    @Test("Endless passes end if no event is left to send")
    func nothingLeft() async throws {
        var plan = ReplayPlan.small()
        plan.passes = nil
        plan.rewriting.settings = [try MemberSetting("nothing.at.all=1")]
        let sink = ScriptedSink()
        var source = LinesSource(ReplayedLine.lines(7))
        try await engine(plan, sink).run(&source, state: .fresh(), file: nil)
        #expect(sink.batches.isEmpty && source.leftOut.count == 7)
    }

    @Test("The brake stops waiting sends, and the state says what was done")
    func brakes() async throws {
        let brake = brake
        let sink = ScriptedSink { batch, call in
            if call == 2 { brake.pull() }
            return .delivered(.init(kept: batch.count))
        }
        let folder = try TemporaryFolder()
        let file = StateFile(path: folder.path("state"))
        let lines = ReplayedLine.lines(1000)
        var source = LinesSource(lines)
        try await engine(.small(.rate(10)), sink).run(&source, state: .fresh(), file: file)
        #expect(sink.batches.count == 3)
        let state = try #require(try file.read(for: ["--to": "x"], lanes: 1))
        #expect(state.lanes[0].events == 30)
        let rest = ScriptedSink()
        var again = LinesSource(lines)
        try await ReplayEngine(.small(.rate(10)), sink: rest, clock: clock, brake: Brake()) { EventTime(seconds: 0) }
            .run(&again, state: state, file: file)
        #expect((sink.taken + rest.taken).flatMap(\.texts) == lines.map(\.text))
        #expect(try file.read(for: ["--to": "x"], lanes: 1)?.lanes[0].events == 1000)
    }

    @Test("The work of an earlier run is counted, even after the brake")
    func brakesAgain() async throws {
        let lines = ReplayedLine.lines(100)
        var feed = EventFeed(.small(), state: .fresh())
        var all = LinesSource(lines)
        while try all.next({ event throws(CannotRewrite) in try feed.add(event) }) {}
        let done = try feed.finish()[2].batch
        var state = ReplayState.fresh()
        state.lanes[0].events = done.first + done.count
        state.lanes[0].checksum = done.checksum
        let brake = brake
        let sink = ScriptedSink { batch, _ in
            brake.pull()
            return .delivered(.init(kept: batch.count))
        }
        let engine = engine(.small(.rate(10)), sink)
        var source = LinesSource(lines)
        try await engine.run(&source, state: state, file: nil)
        #expect(sink.batches.count == 1)
        #expect(engine.tally.figures.alreadyDone == 30)
    }

    @Test("An interrupted batch keeps the time of its first attempt")
    func stamps() async throws {
        let folder = try TemporaryFolder()
        let file = StateFile(path: folder.path("state"))
        var plan = ReplayPlan.small()
        plan.rewriting.times = .now
        plan.rewriting.hasNewIDs = true
        struct Cut: Error {}
        let broken = Locked<[[UInt8]]>([])
        let first = ScriptedSink { batch, call in
            broken.withLock { $0.append(batch.body) }
            if call == 1 { throw Cut() }
            return .delivered(.init(kept: batch.count))
        }
        var source = LinesSource(ReplayedLine.lines(30))
        await #expect(throws: Cut.self) { try await engine(plan, first).run(&source, state: .fresh(), file: file) }
        let state = try #require(try file.read(for: ["--to": "x"], lanes: 1))
        let second = ScriptedSink()
        var again = LinesSource(ReplayedLine.lines(30))
        try await ReplayEngine(plan, sink: second, clock: clock, brake: Brake()) { EventTime(seconds: 3_000_000_500) }
            .run(&again, state: state, file: file)
        #expect(second.batches.count == 2)
        #expect(second.batches[0].body == broken.withLock { $0[1] })
        #expect(second.batches[0].texts.allSatisfy { $0.contains("\"time\":3000000000,") })
        #expect(second.batches[1].texts.allSatisfy { $0.contains("\"time\":3000000500,") })
    }
}

/// A clock that jumps forward to the time that is waited for.
final class JumpingClock: ReplayClock {
    private let time = Locked(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func sleep(until deadline: Duration) { time.withLock { $0 = max($0, deadline) } }

    /// Lets time pass.
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
