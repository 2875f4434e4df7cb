import JSONSchema
import Testing

@Suite("Compiling schemas")
struct CompilingTests {
    @Test(
        "Invalid schemas are rejected with their location",
        arguments: [
            ("3", "schema:#: line 1, column 1: a schema must be an object or a boolean"),
            (#"{"type":"text"}"#, "type must be null, boolean, object, array, number, string or integer"),
            (#"{"minLength":-1}"#, "minLength must be a non-negative integer"),
            (#"{"minLength":1.5}"#, "minLength must be a non-negative integer"),
            (#"{"multipleOf":0}"#, "multipleOf must be greater than 0"),
            (#"{"multipleOf":-1}"#, "multipleOf must be greater than 0"),
            (#"{"maximum":"1"}"#, "maximum must be a number"),
            (#"{"enum":1}"#, "enum must be an array"),
            (#"{"required":[1]}"#, "required must hold arrays of names"),
            (#"{"properties":[]}"#, "properties must be an object"),
            (#"{"allOf":[]}"#, "allOf must be a non-empty array of schemas"),
            (#"{"items":[true]}"#, "a schema must be an object or a boolean"),
            (#"{"uniqueItems":1}"#, "uniqueItems must be a boolean"),
            (#"{"format":1}"#, "format must be a string"),
            (#"{"$ref":1}"#, "$ref must be a string"),
            (#"{"$id":1}"#, "$id must be a string"),
            (#"{"$id":"a#b"}"#, "$id must not have a fragment"),
            (#"{"$anchor":"1"}"#, "$anchor must be a name of letters, digits, - _ and ., not starting with a digit"),
            (
                ##"{"$ref":"#/nowhere"}"##,
                "$ref leads to the unknown schema schema:#/nowhere: add it to the set"
            ),
            (
                ##"{"properties":{"a":{"$ref":"#/$defs/100%"}},"$defs":{"100%":true}}"##,
                "$ref leads to the unknown schema schema:#/$defs/100%: add it to the set"
            ),
            (
                ##"{"properties":{"a":{"$ref":"#%zz"}}}"##,
                "$ref leads to the unknown schema schema:#%zz: add it to the set"
            ),
            (#"{"multipleOf":\#(String(repeating: "7", count: 1001))}"#, "multipleOf has more than 1,000 digits"),
            (
                ##"{"$ref":"#"}"##,
                "the schema references itself for the same value: validation would never end"
            ),
            (
                ##"{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#"}}}}"##,
                "the schema references itself for the same value: validation would never end"
            ),
            (#"{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}"#, "duplicate anchor: rename one of them"),
            (
                #"{"$defs":{"a":{"$id":"urn:x"},"b":{"$id":"urn:x"}}}"#,
                "duplicate URI: give one of the schemas another $id"
            ),
            (
                #"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
                "$schema is neither draft 2020-12 nor a meta-schema in the set"
            ),
        ])
    func refusing(_ schema: String, _ message: String) throws {
        let error = try #require(throws: SchemaError.self) { try SchemaSet.compile(JSONDocument(schema.utf8)) }
        #expect(error.description.hasSuffix(message), "\(error)")
    }

    @Test("Errors name the line, the column and the location")
    func schemaLocations() throws {
        let schema = "{\"properties\":{\n  \"a\": {\"type\": \"text\"}}}"
        let error = try #require(throws: SchemaError.self) { try SchemaSet.compile(JSONDocument(schema.utf8)) }
        #expect(error.location == "schema:#/properties/a")
        #expect(error.message.hasPrefix("line 2, column 17:"))
    }

    @Test("Every schema that satisfies the meta-schema compiles, and so does the meta-schema")
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

    @Test(
        "A set contains the meta-schema, whose URIs are reserved",
        arguments: ["schema", "meta/core", "meta/content"])
    func metaSchemaURIs(name: String) throws {
        let uri = "https://json-schema.org/draft/2020-12/\(name)"
        var set = SchemaSet()
        for (schema, location) in [
            ("true", uri), (#"{"$id":"\#(uri)"}"#, "a:b"), (#"{"items":{"$id":"\#(uri)"}}"#, "a:b"),
        ] {
            let error = try #require(throws: SchemaError.self) { try set.add(JSONDocument(schema.utf8), at: location) }
            #expect(error.code == .duplicateIdentifier)
            #expect(error.location == uri)
        }
        #expect(try set.compile(uri).isValid(Array("true".utf8)))
        // Its vocabularies may serve as meta-schemas of other schemas.
        try set.add(JSONDocument(#"{"$schema":"\#(uri)","type":"null"}"#.utf8), at: "a:b")
        #expect(try set.compile("a:b").isValid(Array("null".utf8)))
    }

    @Test("Locations work through references, resources, lists and names with any characters")
    func locations() throws {
        let schema = """
            {"$id":"urn:a","properties":{"x":{"$ref":"#/other/x~1y/1"}},"other":{"x/y":[0,{"items":{"minLength":-1}}]}}
            """
        let error = try #require(throws: SchemaError.self) { try SchemaSet.compile(JSONDocument(schema.utf8)) }
        #expect(error.location == "urn:a#/other/x~1y/1/items")
        let inner = #"{"$id":"urn:a","$defs":{"b":{"$id":"urn:b","allOf":[true,{"minLength":-1}]}},"$ref":"urn:b"}"#
        let second = try #require(throws: SchemaError.self) { try SchemaSet.compile(JSONDocument(inner.utf8)) }
        #expect(second.location == "urn:b#/allOf/1")
    }

    @Test("Compile time is proportional to the size of the schema", .timeLimit(.minutes(5)))
    func time() throws {
        let count = 8000
        let empty = (0..<count).map { #""p\#($0)":{}"# }.joined(separator: ",")
        #expect(try SchemaSet.compile(JSONDocument(#"{"properties":{\#(empty)}}"#.utf8)).schemaCount == count + 1)
        let references = (0..<count).map { ##""p\##($0)":{"$ref":"#/$defs/d\##($0)"}"## }.joined(separator: ",")
        let targets = (0..<count).map { #""d\#($0)":{}"# }.joined(separator: ",")
        let pairs = #"{"properties":{\#(references)},"$defs":{\#(targets)}}"#
        #expect(try SchemaSet.compile(JSONDocument(pairs.utf8)).schemaCount == 2 * count + 1)
        let elements = (0..<count).map { ##"{"items":{"$ref":"#/allOf/\##($0)/not"},"not":{}}"## }
            .joined(separator: ",")
        #expect(try SchemaSet.compile(JSONDocument(#"{"allOf":[\#(elements)]}"#.utf8)).schemaCount == 3 * count + 1)
        let links = (0..<count).map { ##""d\##($0)":{"$ref":"#/$defs/d\##($0 + 1)"}"## }.joined(separator: ",")
        let chain = ##"{"$ref":"#/$defs/d0","$defs":{\##(links),"d\##(count)":{"type":"null"}}}"##
        let chained = try SchemaSet.compile(JSONDocument(chain.utf8))
        #expect(chained.isStreamed && chained.isValid(Array("null".utf8)) && !chained.isValid(Array("1".utf8)))
    }

    @Test("Unreachable targets of dynamic references are not compiled")
    func dynamicAnchors() throws {
        var set = SchemaSet()
        let list = ##"{"$dynamicAnchor":"node","items":{"$dynamicRef":"#node"}}"##
        let strict = ##"{"$dynamicAnchor":"node","$ref":"urn:list","type":"array"}"##
        let bad = ##"{"$dynamicAnchor":"node","type":"text"}"##
        for (uri, text) in [("urn:list", list), ("urn:bad", bad), ("urn:strict", strict)] {
            try set.add(JSONDocument(text.utf8), at: uri)
        }
        #expect(try set.compile("urn:list").isValid(Array("[1]".utf8)))
        let compiled = try set.compile("urn:strict")
        #expect(compiled.isValid(Array("[[],[[]]]".utf8)) && !compiled.isValid(Array("[[1]]".utf8)))
        #expect(throws: SchemaError.self) { try set.compile("urn:bad") }
    }

    @Test("Dynamic anchors behind other dynamic references are found")
    func dynamicAnchorsOfAnchors() throws {
        // Each resource is reached through the dynamic reference of the previous one.
        let schema = """
            {"$id":"urn:a","$dynamicAnchor":"x","$ref":"urn:b","$defs":{
              "b":{"$id":"urn:b","items":{"$dynamicRef":"urn:d#x"}},
              "d":{"$id":"urn:d","$dynamicAnchor":"x","$ref":"urn:e"},
              "e":{"$id":"urn:e","$dynamicAnchor":"y","items":{"$dynamicRef":"#y"}}}}
            """
        #expect(try SchemaSet.compile(JSONDocument(schema.utf8)).isValid(Array("[[[]]]".utf8)))
    }

    @Test("A duplicate URI is rejected and leaves the set unchanged")
    func duplicates() throws {
        var set = SchemaSet()
        try set.add(JSONDocument(#"{"$id":"urn:a","type":"null"}"#.utf8), at: "urn:file")
        for uri in ["urn:a", "urn:file"] {
            let error = try #require(throws: SchemaError.self) {
                try set.add(JSONDocument(#"{"$id":"urn:b","type":"string"}"#.utf8), at: uri)
            }
            #expect(error.code == .duplicateIdentifier && error.location == uri)
            #expect(throws: SchemaError.self) { try set.compile("urn:b") }
        }
        try set.add(JSONDocument(#"{"$id":"urn:b","type":"string"}"#.utf8), at: "urn:b")
        #expect(try set.compile("urn:file").isValid(Array("null".utf8)))
        #expect(try set.compile("urn:b").isValid(Array(#""a""#.utf8)))
    }

    @Test("The number of schemas is limited")
    func size() throws {
        let schema = "{\"allOf\":[" + Array(repeating: "{}", count: 50).joined(separator: ",") + "]}"
        let error = try #require(throws: SchemaError.self) {
            try SchemaSet.compile(JSONDocument(schema.utf8), options: SchemaOptions(maximumSchemas: 50))
        }
        #expect(error.code == .tooLarge)
    }

    @Test("Schemas that one pass can check are recognized")
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
