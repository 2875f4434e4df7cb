import EventModel
import Testing

/// The boot clock, and pauses that are measured by it.
@Suite("Boot time")
struct BootTimeTests {
    private func reading(_ time: Int64, _ boot: String, _ passed: Int64) -> ClockReading {
        ClockReading(time: EventTime(seconds: time), sinceBoot: BootTime(boot: boot, microseconds: passed * 1_000_000))
    }

    @Test("the boot clock measures; after a restart of the system, the wall clock does, at least 0")
    func elapsed() {
        let first = reading(1000, "a", 50)
        #expect(reading(9, "a", 60).elapsed(since: first) == .seconds(10))
        #expect(reading(1020, "b", 1).elapsed(since: first) == .seconds(20))
        #expect(reading(9, "b", 1).elapsed(since: first) == .zero)
        #expect(reading(1020, "", 70).elapsed(since: reading(1000, "", 50)) == .seconds(20))
    }

    @Test("the system's boot clock advances, and its boot is known")
    func system() throws {
        let (first, second) = (BootTime.now, BootTime.now)
        #expect(first.boot.count == 36 && first.boot == second.boot && first.microseconds > 0)
        #expect(try #require(second.duration(since: first)) >= .zero)
    }
}
