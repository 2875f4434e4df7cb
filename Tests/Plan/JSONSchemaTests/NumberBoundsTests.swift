import JSONSchema
import Testing

/// Numbers near bounds, where the one-pass evaluator takes fast paths.
@Suite("Number bounds")
struct NumberBoundsTests {
    private static let bounds = ["-1.5", "-1", "-0.5", "0", "0.5", "1", "1e18", "-1e400", "9007199254740991"]
    private static let numbers = [
        "-2.0", "-1.6", "-1.5", "-1.4", "-1.0", "-0.5", "-0.0", "0.0", "0.4", "0.5", "0.6", "1.0", "1.1", "1", "-1",
        "999999999999999999.5", "1000000000000000000.5", "9007199254740990.9", "9007199254740991.1", "5e-1", "-15e-1",
    ]

    @Test(
        "Fractions are compared with bounds exactly",
        arguments: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], bounds)
    func agreement(keyword: String, bound: String) throws {
        let schema = try SchemaSet.compile(JSONDocument(#"{"\#(keyword)":\#(bound)}"#.utf8))
        var validator = SchemaValidator(schema)
        for number in Self.numbers {
            var text = number
            let (first, full) = text.withUTF8 { text in
                let text = UnsafeRawBufferPointer(text)
                return (validator.isValidInOnePass(text), validator.verdictByTape(on: text))
            }
            #expect(first == (full == .valid), "\(number)")
            let isMinimum = keyword.hasSuffix("inimum")
            let (value, limit) = (try #require(Double(number)), try #require(Double(bound)))
            // Doubles can distinguish values far enough from the bound.
            guard abs(value - limit) > 1000 || abs(value) < 10 && abs(limit) < 10 && value != limit else { continue }
            #expect(first == (isMinimum ? value > limit : value < limit), "\(number)")
        }
    }
}
