import Testing

@Suite("Schemas without fake values")
struct RefusalTests {
    @Test(
        "The error names the schema and the location in it",
        arguments: [
            (
                #"{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":3,"maxLength":2}}}"#,
                "order.json#/properties/a: "
            ),
            (
                #"{"type":"array","minItems":1,"items":{"type":"integer","minimum":5,"maximum":4}}"#,
                "order.json#/items: "
            ),
            (
                #"{"type":"object","required":["a"],"properties":{"a":{"enum":["x"],"maxLength":0}}}"#,
                "order.json#/properties/a: "
            ),
            (
                ##"{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"object","required":["n"],"properties":{"n":{"not":{}}}}}}"##,
                "order.json#/$defs/a~1b/properties/n: "
            ),
            (##"{"type":"object","required":["me"],"properties":{"me":{"$ref":"#"}}}"##, "order.json#"),
            (#"{"allOf":[{"type":"string"},{"type":"integer"}]}"#, "order.json#: "),
            ("false", "order.json#: "),
            (#"{"type":"array","minItems":1e30}"#, "order.json#: "),
            (#"{"type":"object","minProperties":9223372036854775807}"#, "order.json#: "),
            (#"{"type":"string","pattern":"^a$","not":{"const":"a"}}"#, "order.json#: "),
            (#"{"type":"array","items":{"enum":[1,2]},"uniqueItems":true,"minItems":3}"#, "order.json#: "),
        ])
    func refused(_ schema: String, _ location: String) throws {
        let refusal = try refusal(schema)
        #expect(refusal.hasPrefix(location), "\(refusal)")
        #expect(refusal.contains("no value was found that satisfies the schema"))
    }

    @Test("Schemas that do not compile have a different error")
    func notCompiling() throws {
        #expect(try refusal(#"{"type":"string","pattern":"("}"#).contains("pattern"))
        #expect(try refusal(#"{"$ref":"other.json"}"#).contains("leads to the unknown schema"))
    }
}
