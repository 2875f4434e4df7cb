import LogReplay
import Testing

@Suite("A histogram of durations")
struct LatencyHistogramTests {
    @Test("Quantiles are exact to within a 32nd, rounded up", arguments: [1, 2, 3])
    func quantiles(seed: UInt64) {
        var state = seed
        var histogram = LatencyHistogram()
        var exact: [Int64] = []
        for _ in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // From microseconds to hours.
            let value = Int64(state >> 40) >> Int64((state >> 16) % 24)
            exact.append(value)
            histogram.add(.microseconds(value))
        }
        exact.sort()
        for share in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
            let wanted = exact[max(0, Int((share * 5000).rounded(.up)) - 1)]
            let found = histogram.quantile(share).nanoseconds / 1000
            #expect(found >= wanted && Double(found) <= Double(wanted) * (1 + 1 / 32.0) + 1)
        }
        #expect(histogram.maximum == .microseconds(exact[4999]))
        #expect(histogram.count == 5000)
    }

    @Test("Counts have weights, negative durations are zero, and the longest ones share a bucket")
    func edges() {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.5) == .zero && histogram.maximum == .zero)
        histogram.add(.milliseconds(-5), times: 98)
        histogram.add(.seconds(40 * 86_400), times: 2)
        #expect(histogram.quantile(0.98) == .zero)
        #expect(histogram.quantile(0.99) > .seconds(12 * 86_400))
        #expect(histogram.maximum == .seconds(40 * 86_400))
    }
}
