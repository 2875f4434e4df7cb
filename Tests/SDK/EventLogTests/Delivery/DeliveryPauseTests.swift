import EventLog
import EventModel
import Foundation
import Testing

/// How long a pause lasts, whatever happens to the clocks.
@Suite("Pauses")
struct DeliveryPauseTests {
    private func reading(_ time: Int64, _ boot: String, _ passed: Int64) -> ClockReading {
        ClockReading(time: EventTime(seconds: time), sinceBoot: BootTime(boot: boot, microseconds: passed * 1_000_000))
    }

    private func pause(_ now: ClockReading) -> DeliveryPause {
        DeliveryPause(setAt: now, length: .seconds(100), isServers: true)
    }

    @Test("steps of the wall clock do not change a pause", arguments: [120, 10_800, 172_800, 631_152_000])
    func steps(seconds: Int64) {
        let start: Int64 = 1_700_000_000
        let pause = pause(reading(start, "a", 1000))
        for step in [seconds, -seconds] {
            #expect(pause.rest(at: reading(start + step, "a", 1030)) == .seconds(70))
            #expect(pause.rest(at: reading(start + step, "a", 1100)) == .zero)
        }
    }

    @Test("after a restart of the system, the wall clock counts, up to the length")
    func restart() {
        let pause = pause(reading(1000, "a", 50))
        #expect(pause.rest(at: reading(1030, "b", 1)) == .seconds(70))
        #expect(pause.rest(at: reading(900, "b", 1)) == .seconds(100))
        #expect(pause.rest(at: reading(99_000, "b", 1)) == .zero)
    }

    @Test("a clock that starts at 1970 with each boot ends a pause, since it is stored again and again")
    func clockWithoutBattery() throws {
        var pause = pause(reading(0, "0", 0))
        var waited: Int64 = 0
        for boot in 1... {
            #expect(pause.renewed(at: reading(0, "\(boot)", 0), ifOlderThan: .seconds(30))?.bootTime.boot == "\(boot)")
            pause = try #require(pause.renewed(at: reading(0, "\(boot)", 0), ifOlderThan: .seconds(30)))
            #expect(pause.renewed(at: reading(29, "\(boot)", 29), ifOlderThan: .seconds(30)) == nil)
            pause = try #require(pause.renewed(at: reading(30, "\(boot)", 30), ifOlderThan: .seconds(30)))
            waited += 30
            if pause.rest(at: reading(30, "\(boot)", 30)) == .zero { break }
        }
        #expect(waited == 120)
    }

    @Test("is stored as JSON; one of an earlier version is measured by the wall clock")
    func stored() throws {
        let pause = DeliveryPause(setAt: reading(5, "a", 6), length: .seconds(7), isServers: true, target: "t")
        #expect(try JSONDecoder().decode(DeliveryPause.self, from: JSONEncoder().encode(pause)) == pause)
        let former = try JSONDecoder().decode(
            DeliveryPause.self, from: Data(#"{"setAt":5000000,"length":7000000,"isServers":false}"#.utf8))
        #expect(former.rest(at: reading(8, "a", 6)) == .seconds(4))
    }
}
