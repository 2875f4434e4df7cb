import Primitives
import Testing

@Suite("Ranges of numbers")
struct NumberRangesTests {
    private static func numbers(_ ranges: [ClosedRange<Int64>]) -> [Int64] { ranges.flatMap { Array($0) } }

    /// Ranges in order, with a gap of at least one number between them.
    private static func isNormal(_ ranges: [ClosedRange<Int64>]) -> Bool {
        zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound }
    }

    private static func random(_ random: inout SplitMix64) -> Set<Int64> {
        let density = UInt64.random(in: 1...9, using: &random)
        return Set((1...24).filter { _ in UInt64.random(in: 0..<10, using: &random) < density })
    }

    @Test("behave like sets of numbers, in 5,000 random cases")
    func sets() {
        var random = SplitMix64(seed: 15)
        for _ in 0..<5_000 {
            let (left, right) = (Self.random(&random), Self.random(&random))
            let (first, second) = (NumberRanges.ranges(of: left.sorted()), NumberRanges.ranges(of: right.sorted()))
            #expect(Self.isNormal(first) && Self.numbers(first) == left.sorted())
            let union = NumberRanges.union((first + second).shuffled(using: &random))
            #expect(Self.isNormal(union) && Self.numbers(union) == left.union(right).sorted())
            #expect(Self.numbers(NumberRanges.common(first, second)) == left.intersection(right).sorted())
            let difference = NumberRanges.difference(first, second)
            #expect(Self.isNormal(difference) && Self.numbers(difference) == left.subtracting(right).sorted())
            #expect((0...25).allSatisfy { NumberRanges.contains(first, $0) == left.contains($0) })
        }
    }

    @Test("that contain each other are merged")
    func nested() { #expect(NumberRanges.union([2...3, 1...9, 4...5, 10...10]) == [1...10]) }

    @Test("stop at the ends of 64 bits")
    func ends() {
        #expect(NumberRanges.common([.min ... .max], [5...5]) == [5...5])
        #expect(NumberRanges.union([.min...0, 1 ... .max]) == [.min ... .max])
    }
}
