import Testing

@testable import Primitives

@Suite("Integers of 128 bits") struct WideIntegerTests {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func same(_ wide: WideInteger?, _ number: Int128?) -> Bool { wide?.description == number?.description }

    @Test("sums, products, quotients and texts equal those of the standard library's Int128")
    func asInt128() {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        var random = SplitMix64(seed: 7)
        for _ in 0..<20_000 {
            func pair() -> (WideInteger, Int128) {
                let (first, second) = (Int64(bitPattern: random.next()), Int64(bitPattern: random.next()))
                let (left, right) = (first >> (random.next() % 64), second >> (random.next() % 64))
                return (
                    WideInteger(left) * WideInteger(right) + WideInteger(left),
                    Int128(left) * Int128(right) + Int128(left)
                )
            }
            let (left, right) = (pair(), pair())
            #expect(same(left.0, left.1))
            #expect((left.0 < right.0) == (left.1 < right.1))
            let sum = left.1.addingReportingOverflow(right.1)
            if !sum.overflow { #expect(same(left.0 + right.0, sum.partialValue)) }
            let difference = left.1.subtractingReportingOverflow(right.1)
            if !difference.overflow { #expect(same(left.0 - right.0, difference.partialValue)) }
            let product = left.1.multipliedReportingOverflow(by: right.1)
            #expect(same(left.0.multiplied(by: right.0), product.overflow ? nil : product.partialValue))
            guard right.1 != 0 else { continue }
            #expect(same(left.0 / right.0, left.1 / right.1))
            #expect(same(left.0 % right.0, left.1 % right.1))
        }
        #expect(same(.min, .min))
        #expect(same(.max, .max))
        #expect(WideInteger(UInt64.max).clampedToUInt64 == .max)
        #expect(WideInteger(-1).clampedToUInt64 == 0)
        #expect(WideInteger(Int64.min).asInt64 == .min)
        #expect((WideInteger(Int64.min) - 1).asInt64 == nil)
    }

    @Test("a text is made from valid UTF-8 only")
    func validText() {
        #expect(String(validUTF8: Array("über\u{FFFD}".utf8)) == "über\u{FFFD}")
        #expect(String(validUTF8: [0x61, 0xFF]) == nil)
        #expect(String(validUTF8: [0xED, 0xA0, 0x80]) == nil)
        #expect(String(validUTF8: [0xC3]) == nil)
        #expect(String(validUTF8: []) == "")
    }
}
