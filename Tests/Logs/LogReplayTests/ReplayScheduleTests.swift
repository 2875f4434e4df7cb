import EventModel
import LogReplay
import Testing

@Suite("The schedule of a replay")
struct ReplayScheduleTests {
    private func dues(_ pace: ReplayPace, _ seconds: [Double]) -> [Duration] {
        var schedule = ReplaySchedule(pace)
        return seconds.map { .nanoseconds(schedule.due(EventTime(microseconds: Int64($0 * 1_000_000)))) }
    }

    @Test("The log's times keep their distances, divided by the speed, and long pauses are shortened")
    func ownClock() {
        let times = [100, 101, 101.5, 200]
        #expect(
            dues(.log(speed: 1, longestPause: nil), times) == [.zero, .seconds(1), .seconds(1.5), .seconds(100)])
        #expect(
            dues(.log(speed: 10, longestPause: nil), times)
                == [.zero, .milliseconds(100), .milliseconds(150), .seconds(10)])
        #expect(
            dues(.log(speed: 0.5, longestPause: .seconds(3)), times)
                == [.zero, .seconds(2), .seconds(3), .seconds(6)])
    }

    @Test("A log that steps back in time does not move the schedule back")
    func stepsBack() {
        #expect(
            dues(.log(speed: 1, longestPause: nil), [100, 99, 100, 101]) == [.zero, .zero, .zero, .seconds(1)])
    }

    @Test("Times at the ends of the range do not trap")
    func ends() {
        var schedule = ReplaySchedule(.log(speed: 0.001, longestPause: .seconds(1)))
        #expect(schedule.due(EventTime(microseconds: -(1 << 62))) == 0)
        #expect(schedule.due(EventTime(microseconds: 1 << 61)) == 1_000_000_000)
        var slow = ReplaySchedule(.log(speed: 0.001, longestPause: nil))
        let end: Int64 = 1 << 61
        let slowDues = [Int64.min, 0, .max, .max].map { slow.due(EventTime(microseconds: $0)) }
        #expect(slowDues == [0, end, end, end])
        var rare = ReplaySchedule(.rate(1e-12))
        let rareDues = (0..<3).map { _ in rare.due(EventTime(seconds: 0)) }
        #expect(rareDues == [0, end, end])
    }

    @Test("A rate gives equal distances, however long it runs")
    func rate() {
        #expect(dues(.rate(4), [9, 1, 5]) == [.zero, .milliseconds(250), .milliseconds(500)])
        var schedule = ReplaySchedule(.rate(3))
        var last: Int64 = 0
        for _ in 0...3_000_000 { last = schedule.due(EventTime(seconds: 0)) }
        #expect(last == 1_000_000_000_000_000)
    }

    @Test("Another pass follows immediately by the log's times, and in step by a rate")
    func passes() {
        var own = ReplaySchedule(.log(speed: 1, longestPause: nil))
        _ = own.due(EventTime(seconds: 10))
        #expect(own.due(EventTime(seconds: 12)) == 2_000_000_000)
        own.startAgain()
        #expect(own.due(EventTime(seconds: 10)) == 2_000_000_000)
        #expect(own.due(EventTime(seconds: 12)) == 4_000_000_000)
    }
}
