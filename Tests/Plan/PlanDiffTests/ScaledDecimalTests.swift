import JSONSchema
import Testing

@Suite("Exact decimals")
struct ScaledDecimalTests {
    @Test(
        "Decimals are parsed from any JSON number and written in one form",
        arguments: [
            ("0", "0"), ("-0.0", "0"), ("1.50", "1.5"), ("-12e-1", "-1.2"), ("1E2", "100"), ("0.1e1", "1"),
            ("9007199254740991", "9007199254740991"), ("0.000000000000000001", "0.000000000000000001"),
            ("9999999999999999999", "9999999999999999999"), ("100000000000000000000e-10", "10000000000"),
        ])
    func forms(_ text: String, _ written: String) {
        #expect(ScaledDecimal(text)?.description == written)
    }

    @Test(
        "Numbers that do not fit are rejected instead of rounded",
        arguments: ["1e19", "1e-19", "1.0000000000000000001", "1e400"])
    func tooLong(_ text: String) {
        #expect(ScaledDecimal(text) == nil)
    }

    @Test("Decimals are ordered by value")
    func order() throws {
        let texts = ["-2", "-1.5", "0", "0.1", "0.11", "2", "1e1"]
        #expect(
            texts.compactMap { ScaledDecimal($0) }.sorted().map(\.description) == [
                "-2", "-1.5", "0", "0.1", "0.11", "2", "10",
            ])
    }
}
