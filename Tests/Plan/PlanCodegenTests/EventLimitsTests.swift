import JSONSchema
import Testing
import TrackingCore

@Suite("Number limits")
struct EventLimitsTests {
    @Test(
        "Multiples are rejected as by the validator, and all numbers from 2^53 on",
        arguments: [
            0, -0.0, 10, 64, 640, 641, 0.5, 64.00000000000001, -128, 1e15, 9_007_199_254_740_991, 9_007_199_254_740_992,
            1e16, 1e23, 123_456_789_012_345_670_000, .greatestFiniteMagnitude, 5e-324,
        ] as [Double], [3, 10, 64] as [Double])
    func multiples(value: Double, divisor: Double) throws {
        let isTaken = (try? EventLimits.number(value, multipleOf: divisor, "it")) != nil
        var json = JSONWriter()
        let isWritten = json.number(value)
        #expect(isWritten)
        let schema = try SchemaSet.compile(JSONDocument("{\"multipleOf\": \(Int(divisor))}".utf8))
        let isValid = schema.isValid(json.bytes)
        #expect(isTaken == (isValid && value.magnitude < 0x1p53))
    }

    @Test("Integer limits have 64 bits")
    func wide() throws {
        try EventLimits.integer(7, -9_007_199_254_740_991...9_007_199_254_740_991 as ClosedRange<Int64>, "it")
        #expect(throws: TrackingEventError.self) {
            try EventLimits.integer(7, 0...9 as ClosedRange<Int64>, multipleOf: 2 as Int64, "it")
        }
    }
}
