import JSONSchema
import Testing

@Suite("Fake arrays and objects")
struct ContainerTests {
    @Test(
        "Values satisfy every keyword of arrays and objects",
        arguments: [
            #"{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":4}"#,
            #"{"type":"array","prefixItems":[{"const":1},{"type":"string"}],"items":false}"#,
            #"{"type":"array","prefixItems":[{"const":1}],"minItems":3}"#,
            #"{"type":"array","items":{"enum":["a","b","c"]},"uniqueItems":true,"minItems":3}"#,
            #"{"type":"array","contains":{"const":"x"},"minContains":2,"maxContains":3,"minItems":5}"#,
            #"{"type":"array","items":{"type":"integer","minimum":0},"contains":{"minimum":900}}"#,
            #"{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":false},"additionalProperties":false}"#,
            #"{"type":"object","minProperties":3,"maxProperties":4,"additionalProperties":{"type":"integer"}}"#,
            #"{"type":"object","patternProperties":{"^x-[a-z]+$":{"type":"boolean"}},"additionalProperties":false,"minProperties":2}"#,
            #"{"type":"object","propertyNames":{"pattern":"^[A-Z]{2,5}$"},"minProperties":2}"#,
            #"{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"dependentRequired":{"a":["b"]},"type":"object"}"#,
            #"{"type":"object","properties":{"a":true,"c":true},"dependentSchemas":{"a":{"required":["c"],"properties":{"c":{"const":1}}}}}"#,
            #"{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}],"unevaluatedProperties":false,"type":"object"}"#,
            #"{"type":"array","prefixItems":[{"type":"string"}],"unevaluatedItems":false,"minItems":1}"#,
            #"{"type":"object","required":["é"],"properties":{"é":{"const":1},"e\u0301":{"const":2}}}"#,
        ])
    func keywords(_ schema: String) throws { #expect(try values(schema).count == 100) }

    @Test(
        "Values use one of several alternatives",
        arguments: [
            #"{"oneOf":[{"type":"integer","multipleOf":3},{"type":"integer","multipleOf":5}]}"#,
            #"{"oneOf":[{"properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind","n"]},{"properties":{"kind":{"const":"b"}},"required":["kind"]}],"type":"object"}"#,
            #"{"anyOf":[{"type":"string"},{"type":"null"}],"not":{"const":null}}"#,
            #"{"type":"object","properties":{"paid":{"type":"boolean"},"sum":{"type":"number"}},"required":["paid"],"if":{"properties":{"paid":{"const":true}}},"then":{"required":["sum"]},"else":{"not":{"required":["sum"]}}}"#,
            #"{"type":["object","string"],"not":{"type":"string"},"required":["x"]}"#,
            #"{"allOf":[{"anyOf":[{"minimum":5},{"maximum":-5}]},{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}],"type":"integer"}"#,
        ])
    func alternatives(_ schema: String) throws { #expect(try values(schema).count == 100) }

    @Test("All alternatives are used over time")
    func everyWay() throws {
        let schema =
            #"{"oneOf":[{"const":"a"},{"const":"b"},{"type":"object","required":["c"],"properties":{"c":{"enum":[1,2]}}},{"type":"array"}]}"#
        let kinds = Set(try values(schema).map(\.root.kind.rawValue))
        #expect(kinds == [JSONKind.string.rawValue, JSONKind.object.rawValue, JSONKind.array.rawValue])
    }

    @Test("Optional members are present some of the time")
    func optional() throws {
        let made = try values(#"{"type":"object","properties":{"a":{"const":1}},"additionalProperties":false}"#)
        let with = made.filter { $0.root["a"] != nil }.count
        #expect((20...90).contains(with))
    }

    @Test("Members of one example appear together")
    func examples() throws {
        let made = try values(
            #"""
            {"type":"object","required":["page"],"additionalProperties":false,
             "properties":{"page":{"type":"string","minLength":1},"url":{"type":"string","minLength":1}},
             "examples":[{"page":"list"},{"page":"detail","url":"https://github.com/a/b"}]}
            """#, 400)
        let lists = made.filter { $0.root["page"]?.string == "list" }
        #expect(lists.count > 100)
        #expect(lists.filter { $0.root["url"] == nil }.count > lists.count / 2)
    }

    @Test("Recursive schemas give finite values")
    func recursive() throws {
        let tree = #"""
            {"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["name","children"],
             "properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}},
             "next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}}}}}
            """#
        let made = try values(tree)
        #expect(made.contains { !($0.root["children"]?.elements.isEmpty ?? true) })
        #expect(made.allSatisfy { $0.bytes.count < 200_000 })
    }
}
