import JSONSchema
import Testing

@Suite("Violations")
struct ViolationTests {
    private static func violations(_ schema: String, _ instance: String) throws -> [SchemaViolation] {
        let compiled = try SchemaSet.compile(
            JSONDocument(schema.utf8), options: SchemaOptions(assertsFormats: true))
        return compiled.violations(in: Array(instance.utf8))
    }

    @Test(
        "A message explains the violation without showing the value",
        arguments: [
            (#"{"type":"string"}"#, "1", "type: must be a string"),
            (#"{"type":["integer","null","object"]}"#, "1.5", "type: must be null, an object or an integer"),
            (#"{"const":{"a":1}}"#, "1", #"const: must be {"a":1}"#),
            (#"{"enum":["a",2,null,true]}"#, "1", #"enum: must be one of "a", 2, null, true"#),
            (#"{"enum":[1,2,3,4,5,6,7,8,9]}"#, "0", "enum: must be one of 1, 2, 3, 4, 5, 6, 7, 8 … (9 values)"),
            (#"{"minimum":1.50}"#, "1", "minimum: must be at least 1.50"),
            (#"{"maximum":1}"#, "2", "maximum: must be at most 1"),
            (#"{"exclusiveMinimum":1}"#, "1.0", "exclusiveMinimum: must be more than 1"),
            (#"{"exclusiveMaximum":1}"#, "1", "exclusiveMaximum: must be less than 1"),
            (#"{"multipleOf":0.01}"#, "0.075", "multipleOf: must be a multiple of 0.01"),
            (#"{"minLength":2}"#, #""é""#, "minLength: must have at least 2 characters, but has 1"),
            (#"{"maxLength":1}"#, #""\u00e9x""#, "maxLength: must have at most 1 character, but has 2"),
            (#"{"pattern":"^a"}"#, #""b""#, "pattern: must match the pattern ^a"),
            (#"{"format":"uuid"}"#, #""b""#, "format: must have the format uuid"),
            (#"{"minItems":1}"#, "[]", "minItems: must have at least 1 element, but has 0"),
            (#"{"maxItems":0}"#, "[1]", "maxItems: must have at most 0 elements, but has 1"),
            (
                #"{"uniqueItems":true}"#, #"[1,{"a":1,"b":[2]},2,{"b":[2.0],"a":1}]"#,
                "uniqueItems: elements 1 and 3 are equal, but must be unique"
            ),
            (
                #"{"contains":{"const":1}}"#, "[2]",
                "contains: must have at least 1 element matching contains, but has 0"
            ),
            (
                #"{"contains":true,"maxContains":1}"#, "[2,3]",
                "maxContains: must have at most 1 element matching contains, but has 2"
            ),
            (#"{"minProperties":1}"#, "{}", "minProperties: must have at least 1 member, but has 0"),
            (#"{"maxProperties":0}"#, #"{"a":1}"#, "maxProperties: must have at most 0 members, but has 1"),
            (#"{"required":["a","b"]}"#, #"{"a":1}"#, #"required: "b" is missing"#),
            (
                #"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#,
                #"dependentRequired: "b" is missing, but "a" requires it"#
            ),
            (#"{"additionalProperties":false}"#, #"{"a":1}"#, #"additionalProperties: "a" is not allowed here"#),
            (#"{"unevaluatedProperties":false}"#, #"{"a":1}"#, #"unevaluatedProperties: "a" is not allowed here"#),
            (
                #"{"prefixItems":[true],"unevaluatedItems":false}"#, "[1,2]",
                "unevaluatedItems: element 1 is not allowed here"
            ),
            (
                #"{"anyOf":[{"type":"null"},false]}"#, "1",
                "anyOf: must satisfy at least one of 2 schemas, but satisfies none"
            ),
            (#"{"anyOf":[{"type":"null"},{"type":"integer","minimum":2}]}"#, "1", "minimum: must be at least 2"),
            (#"{"oneOf":[{"type":"null"},{"minimum":2},false]}"#, "1", "minimum: must be at least 2"),
            (
                #"{"oneOf":[{"minimum":3},{"minimum":2}]}"#, "1",
                "oneOf: must satisfy exactly one of 2 schemas, but satisfies none"
            ),
            (#"{"oneOf":[true,true,false]}"#, "1", "oneOf: must satisfy exactly one of 3 schemas, but satisfies 2"),
            (#"{"not":{}}"#, "1", "not: must not satisfy the schema in not"),
            ("false", "1", "false: no value is allowed here"),
        ])
    func messages(_ schema: String, _ instance: String, _ expected: String) throws {
        #expect(try Self.violations(schema, instance).map { "\($0.keyword): \($0.message)" } == [expected])
    }

    @Test("A violation has locations in the instance, the schema and the text")
    func schemaLocations() throws {
        let schema = """
            {"$id":"https://example.org/a.json",
             "properties":{"a/b":{"$ref":"#/$defs/list"},"c":{"if":true,"then":{"type":"null"}}},
             "patternProperties":{"^x":{"type":"integer"}},"propertyNames":{"maxLength":3},
             "dependentSchemas":{"c":{"required":["d"]}},
             "allOf":[true,{"minProperties":9}],
             "$defs":{"list":{"prefixItems":[true,{"type":"string"}],"items":{"enum":[1]}}}}
            """
        let instance = #"{"a/b":[0,1,2],"c":5,"x~":1.5,"long":0}"#
        let found = try Self.violations(schema, instance)
        #expect(
            found.map { "\($0.instancePath) | \($0.schemaPath) | \($0.schemaLocation.dropFirst(19)) | \($0.offset)" }
                == [
                    "/a~1b/1 | /properties/a~1b/$ref/prefixItems/1/type | /a.json#/$defs/list/prefixItems/1/type | 10",
                    "/a~1b/2 | /properties/a~1b/$ref/items/enum | /a.json#/$defs/list/items/enum | 12",
                    "/c | /properties/c/then/type | /a.json#/properties/c/then/type | 19",
                    "/x~0 | /patternProperties/^x/type | /a.json#/patternProperties/%5Ex/type | 26",
                    "/long | /propertyNames/maxLength | /a.json#/propertyNames/maxLength | 30",
                    " | /allOf/1/minProperties | /a.json#/allOf/1/minProperties | 0",
                    " | /dependentSchemas/c/required | /a.json#/dependentSchemas/c/required | 0",
                ])
    }

    @Test("Schema locations are URIs for any names")
    func locations() throws {
        let schema = #"{"$id":"urn:a","properties":{"a%20b c\"é<~/>?:@!$&'()*+,;=-._[]#|{}`\\":{"type":"null"}}}"#
        let found = try Self.violations(schema, #"{"a%20b c\"é<~/>?:@!$&'()*+,;=-._[]#|{}`\\":1}"#)
        let name = "a%2520b%20c%22%C3%A9%3C~0~1%3E?:@!$&'()*+,;=-._%5B%5D%23%7C%7B%7D%60%5C"
        #expect(found.map(\.schemaLocation) == ["urn:a#/properties/\(name)/type"])
    }

    @Test(
        "A forbidden member or element is located by path and offset",
        arguments: [
            (#"{"additionalProperties":false,"properties":{"a":true}}"#, #"{"a":1,"b/":{}}"#, "/b~1 7"),
            (#"{"unevaluatedProperties":false,"properties":{"a":true}}"#, #"{"a":1,"b":2}"#, "/b 7"),
            (#"{"unevaluatedItems":false,"prefixItems":[true]}"#, #"[1,"b"]"#, "/1 3"),
            (#"{"items":{"additionalProperties":false}}"#, #"[{"a":1}]"#, "/0/a 2"),
        ])
    func extras(_ schema: String, _ instance: String, _ expected: String) throws {
        #expect(try Self.violations(schema, instance).map { "\($0.instancePath) \($0.offset)" } == [expected])
    }

    @Test("The first duplicate element is reported")
    func doubles() throws {
        let found = try (0..<20).map { _ in
            try Self.violations(#"{"uniqueItems":true}"#, "[5,1,2,3,4,3,2,1,1.0,4]").map(\.message)
        }
        #expect(Set(found) == [["elements 3 and 5 are equal, but must be unique"]])
    }

    @Test("The number of violations is limited")
    func maximum() throws {
        let compiled = try SchemaSet.compile(JSONDocument(#"{"items":{"type":"string"}}"#.utf8))
        #expect(compiled.violations(in: Array("[1,2,3,4]".utf8), atMost: 2).map(\.instancePath) == ["/0", "/1"])
    }

    @Test("Texts that are not JSON have no violations, only a verdict")
    func unreadable() throws {
        let compiled = try SchemaSet.compile(JSONDocument("{}".utf8))
        guard case .unreadable(let error) = compiled.verdict(on: Array("[1".utf8)) else {
            Issue.record("not unreadable")
            return
        }
        #expect(error.offset == 2 && compiled.violations(in: Array("[1".utf8)).isEmpty)
    }
}
