import Primitives
import Testing

@Suite("Counts of numbers that clients choose")
struct SaturatingCountTests {
    private static let highest = SaturatingCount.maximum
    private static let extremes = [.min, -1, 0, 1, 7, highest - 1, highest, highest + 1, Int64.max]

    @Test("Sums and differences stay between 0 and 2^53 − 1", arguments: extremes, extremes)
    func operators(_ left: Int64, _ right: Int64) {
        let (one, other) = (SaturatingCount(left), SaturatingCount(right))
        #expect(one.value == min(max(left, 0), Self.highest))
        #expect((one + other).value == min(one.value + other.value, Self.highest))
        #expect((one - other).value == max(one.value - other.value, 0))
        #expect((one < other) == (one.value < other.value))
        #expect(Array(repeating: one, count: 1100).sum.value == (one.value < 8 ? 1100 * one.value : Self.highest))
    }

    @Test("The length of a range")
    func ranges() {
        #expect(SaturatingCount(of: 3...3) == 1)
        #expect(SaturatingCount(of: 1...Self.highest).value == Self.highest)
        #expect(SaturatingCount(of: .min ... .max).value == Self.highest)
        #expect(NumberRanges.count([1...4, 9...9]) == 5)
        #expect(NumberRanges.count(Array(repeating: 1...Self.highest, count: 1100)).value == Self.highest)
        #expect(NumberRanges.count([]) == 0)
    }
}
