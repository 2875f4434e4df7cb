import JSONSchema
import Testing

@Suite("Compiling schemas")
struct CompilingTests {
    @Test(
        "refuses what is no schema, and says where",
        arguments: [
            ("3", "schema:#: line 1, column 1: a schema must be an object or a boolean"),
            (#"{"type":"text"}"#, "type must be null, boolean, object, array, number, string or integer"),
            (#"{"minLength":-1}"#, "minLength must be a whole number that is not negative"),
            (#"{"minLength":1.5}"#, "minLength must be a whole number that is not negative"),
            (#"{"multipleOf":0}"#, "multipleOf must be greater than 0"),
            (#"{"multipleOf":-1}"#, "multipleOf must be greater than 0"),
            (#"{"maximum":"1"}"#, "maximum must be a number"),
            (#"{"enum":1}"#, "enum must be an array"),
            (#"{"required":[1]}"#, "required must hold arrays of names"),
            (#"{"properties":[]}"#, "properties must be an object"),
            (#"{"allOf":[]}"#, "allOf must be an array of schemas, at least one"),
            (#"{"items":[true]}"#, "a schema must be an object or a boolean"),
            (#"{"uniqueItems":1}"#, "uniqueItems must be a boolean"),
            (#"{"format":1}"#, "format must be a string"),
            (#"{"$ref":1}"#, "$ref must be a string"),
            (#"{"$id":1}"#, "$id must be a string"),
            (#"{"$id":"a#b"}"#, "$id must not have a fragment"),
            (#"{"$anchor":"1"}"#, "$anchor must be a name of letters, digits, - _ and ., not starting with a digit"),
            (
                ##"{"$ref":"#/nowhere"}"##,
                "$ref leads to schema:#/nowhere, where no schema is: nothing is fetched, so add it"
            ),
            (
                ##"{"$ref":"#"}"##,
                "it refers to itself without going on to a part of the value: no value can be checked"
            ),
            (
                ##"{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#"}}}}"##,
                "it refers to itself without going on to a part of the value: no value can be checked"
            ),
            (#"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#, "two schemas have this anchor: rename one"),
            (
                #"{"$defs":{"a":{"$id":"urn:x"},"b":{"$id":"urn:x"}}}"#,
                "two schemas have this URI: give one another $id"
            ),
            (
                #"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
                "its $schema is neither draft 2020-12 nor a meta-schema that was added"
            ),
        ])
    func refusing(_ schema: String, _ message: String) throws {
        let error = try #require(throws: SchemaError.self) { try SchemaSet.compile(JSONDocument(schema.utf8)) }
        #expect(error.description.hasSuffix(message), "\(error)")
    }

    @Test("names the line, the column and the place of a fault")
    func places() throws {
        let schema = "{\"properties\":{\n  \"a\": {\"type\": \"text\"}}}"
        let error = try #require(throws: SchemaError.self) { try SchemaSet.compile(JSONDocument(schema.utf8)) }
        #expect(error.location == "schema:#/properties/a")
        #expect(error.message.hasPrefix("line 2, column 17:"))
    }

    @Test("takes every schema that the meta-schema takes, and the meta-schema itself")
    func metaSchema() throws {
        let meta = try #require(CompiledSchema.metaSchema)
        #expect(meta.isValid(Array(#"{"type":["string","null"],"items":{"minimum":1}}"#.utf8)))
        #expect(!meta.isValid(Array(#"{"items":{"minimum":"1"}}"#.utf8)))
        #expect(
            meta.violations(in: Array(#"{"items":{"minimum":"1"}}"#.utf8)).map(\.instancePath) == ["/items/minimum"])
        var set = SchemaSet()
        try set.add(JSONDocument(#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#.utf8), at: "a:b")
        #expect(try set.compile("a:b").isValid(Array("true".utf8)))
    }

    @Test("has a limit for the number of schemas")
    func size() throws {
        let schema = "{\"allOf\":[" + Array(repeating: "{}", count: 50).joined(separator: ",") + "]}"
        let error = try #require(throws: SchemaError.self) {
            try SchemaSet.compile(JSONDocument(schema.utf8), options: SchemaOptions(maximumSchemas: 50))
        }
        #expect(error.code == .tooLarge)
    }

    @Test("knows which schemas one pass over the bytes can check")
    func streaming() throws {
        func isStreamed(_ schema: String) throws -> Bool {
            try SchemaSet.compile(JSONDocument(schema.utf8)).isStreamed
        }
        #expect(try isStreamed(##"{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"enum":["x",1]}}}"##))
        #expect(try isStreamed(#"{"patternProperties":{"^a":{"items":{"minimum":1}}}}"#))
        #expect(try !isStreamed(#"{"anyOf":[true]}"#))
        #expect(try !isStreamed(#"{"properties":{"a":{"uniqueItems":true}}}"#))
    }
}
