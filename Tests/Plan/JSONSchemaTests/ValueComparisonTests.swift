import JSONSchema
import Testing

@Suite("Comparing values")
struct ValueComparisonTests {
    private static func isValid(_ schema: String, _ instance: String) throws -> Bool {
        try SchemaSet.compile(JSONDocument(schema.utf8)).isValid(Array(instance.utf8))
    }

    @Test(
        "Each member has exactly one counterpart in the other object",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, true), (#"{"a":1,"b":2}"#, #"{"b":2.0,"\u0061":1}"#, true),
            (#"{"a":1,"b":2}"#, #"{"a":1,"a":1}"#, false), (#"{"a":1,"b":2}"#, #"{"b":2,"b":2}"#, false),
            (#"{"a":1,"b":2,"c":3}"#, #"{"c":3,"a":1,"a":1}"#, false),
            (#"{"a":1,"b":2,"c":3}"#, #"{"a":1,"c":3,"b":2}"#, true), (#"{"a":1,"b":2}"#, #"{"a":1,"c":2}"#, false),
            (#"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#, false), ("{}", "{}", true), ("{}", #"{"a":1}"#, false),
            (#"{"":1,"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1},"":1}"#, true),
            (#"{"ab":1,"a":2,"b":3}"#, #"{"b":3,"ab":1,"a":2}"#, true),
        ])
    func objects(_ constant: String, _ instance: String, _ isEqual: Bool) throws {
        #expect(try Self.isValid(#"{"const":\#(constant)}"#, instance) == isEqual)
        #expect(try Self.isValid(#"{"uniqueItems":true}"#, "[\(constant),\(instance)]") != isEqual)
    }

    @Test("Numbers that differ only in their exponents are different")
    func exponents() throws {
        #expect(try !Self.isValid(#"{"const":1e2000000000000000}"#, "1e3000000000000000"))
        #expect(try Self.isValid(#"{"minimum":1e1000000000000000}"#, "0.1e5000000000000000"))
        #expect(try Self.isValid(#"{"uniqueItems":true}"#, "[1e1000000000000001,1e1000000000000002]"))
    }
}
