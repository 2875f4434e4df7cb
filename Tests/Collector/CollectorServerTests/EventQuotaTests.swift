import CollectorServer
import EventModel
import Testing

/// Token buckets and the wall clock.
@Suite("Quotas and clocks")
struct EventQuotaTests {
    @Test(
        "A clock that is set back does not stop the refill of a quota", arguments: [120, 10_800, 172_800, 631_152_000])
    func clockSetBack(step: Int64) {
        let quota = EventQuota(.init(perSecond: 1, burst: 10))
        let start = EventTime(seconds: 1_700_000_000)
        #expect(quota.consume(10, of: "a", at: start) == nil)
        let back = start.advanced(by: .seconds(-step))
        #expect(quota.consume(1, of: "a", at: back) == 1)
        #expect(quota.consume(1, of: "a", at: back.advanced(by: .seconds(1))) == nil)
        // Requests that are counted late give no tokens.
        #expect(quota.consume(1, of: "a", at: back) == 1)
        #expect(quota.consume(1, of: "a", at: back.advanced(by: .seconds(1))) == 1)
        quota.charge(1000, to: "a", at: back.advanced(by: .seconds(2 * step)))
        #expect(quota.debt(of: "a", at: back.advanced(by: .seconds(2 * step))) != nil)
    }
}
