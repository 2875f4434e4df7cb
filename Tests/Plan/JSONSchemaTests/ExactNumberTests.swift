import Testing

@testable import JSONSchema

@Suite("Exact numbers")
struct ExactNumberTests {
    private static func compare(_ left: String, _ right: String) -> Int {
        Array(left.utf8).withUnsafeBufferPointer { left in
            Array(right.utf8).withUnsafeBufferPointer { ExactNumber(left).compare(ExactNumber($0)) }
        }
    }

    @Test(
        "Numbers are compared digit by digit",
        arguments: [
            ("1", "1.0", 0), ("100", "1e2", 0), ("0.1", "1e-1", 0), ("0", "-0.0e5", 0), ("1", "2", -1), ("-1", "-2", 1),
            ("9007199254740993", "9007199254740992", 1), ("0.30000000000000004", "0.3", 1), ("1e400", "1e399", 1),
            ("-1e400", "1e-400", -1), ("12.5", "12.49999999999999999999", 1), ("120", "12e1", 0),
            ("10.01", "10.010", 0),
            ("0", "-5", 1), ("99", "100", -1), ("1e999999999999999999999", "1e5", 1),
            ("1e2000000000000000", "1e3000000000000000", -1), ("1e1000000000000000", "0.1e5000000000000000", -1),
            ("1e999999999999999998", "1e999999999999999999", -1),
            ("1e-999999999999999999", "1e-999999999999999998", -1),
            ("0.1e000000000000000000000000000002", "1e1", 0), ("1e-99999999999999999999", "1e-999999999999999999", -1),
        ])
    func comparing(_ left: String, _ right: String, _ result: Int) {
        #expect(Self.compare(left, right) == result)
        #expect(Self.compare(right, left) == -result)
    }

    @Test(
        "Integers are recognized, with their value",
        arguments: [
            ("1.0", true, 1), ("1e2", true, 100), ("1.5", false, nil), ("15e-1", false, nil), ("150e-1", true, 15),
            ("-0.0", true, 0), ("123456789012345678901234567890", true, nil), ("-12.50e1", true, -125),
            ("0e99999", true, 0), ("1e-3", false, nil),
        ] as [(String, Bool, Int64?)])
    func wholeness(_ text: String, _ isInteger: Bool, _ value: Int64?) {
        Array(text.utf8).withUnsafeBufferPointer {
            #expect(ExactNumber($0).isInteger == isInteger)
            #expect(ExactNumber($0).integer == value)
        }
    }
}
