/// The meta-schema of draft 2020-12 and the schemas of its vocabularies, which validate schemas.
///
/// Written from the specification (sections 8 to 10 of JSON Schema Core, 6 to 9 of JSON Schema Validation). They accept
/// and reject the same schemas as the published documents.
enum MetaSchema {
    /// The prefix of their URIs.
    static let prefix = "https://json-schema.org/draft/2020-12/"

    static let documents: [(uri: String, document: JSONDocument)] = sources.compactMap { name, source in
        // Tests assert that each is JSON.
        JSONDocument(validating: source.utf8).map { (prefix + name, $0) }
    }

    private static let sources: [(String, String)] = [
        ("schema", schema), ("meta/core", core), ("meta/applicator", applicator), ("meta/unevaluated", unevaluated),
        ("meta/validation", validation), ("meta/meta-data", metaData),
        ("meta/format-annotation", format("format-annotation")),
        ("meta/format-assertion", format("format-assertion")), ("meta/content", content),
    ]

    private static func head(_ name: String) -> String {
        """
        "$schema":"\(prefix)schema","$id":"\(prefix)\(name)","$dynamicAnchor":"meta","type":["object","boolean"]
        """
    }

    /// Returns the head of a vocabulary's schema.
    private static func vocabulary(_ name: String) -> String {
        "\(head("meta/\(name)")),\"$vocabulary\":{\"\(prefix)vocab/\(name)\":true}"
    }

    private static let schema = """
        {\(head("schema")),
         "$vocabulary":{"\(prefix)vocab/core":true,"\(prefix)vocab/applicator":true,"\(prefix)vocab/unevaluated":true,
          "\(prefix)vocab/validation":true,"\(prefix)vocab/meta-data":true,"\(prefix)vocab/format-annotation":true,
          "\(prefix)vocab/content":true},
         "allOf":[{"$ref":"meta/core"},{"$ref":"meta/applicator"},{"$ref":"meta/unevaluated"},
          {"$ref":"meta/validation"},{"$ref":"meta/meta-data"},{"$ref":"meta/format-annotation"},
          {"$ref":"meta/content"}],
         "properties":{
          "definitions":{"type":"object","additionalProperties":{"$dynamicRef":"#meta"},"deprecated":true,"default":{}},
          "dependencies":{"type":"object","additionalProperties":{"anyOf":[{"$dynamicRef":"#meta"},
           {"$ref":"meta/validation#/$defs/stringArray"}]},"deprecated":true,"default":{}},
          "$recursiveAnchor":{"$ref":"meta/core#/$defs/anchorString","deprecated":true},
          "$recursiveRef":{"$ref":"meta/core#/$defs/uriReferenceString","deprecated":true}}}
        """

    private static let core = #"""
        {\#(vocabulary("core")),
         "properties":{
          "$id":{"$ref":"#/$defs/uriReferenceString","pattern":"^[^#]*#?$"},
          "$schema":{"$ref":"#/$defs/uriString"},
          "$ref":{"$ref":"#/$defs/uriReferenceString"},
          "$anchor":{"$ref":"#/$defs/anchorString"},
          "$dynamicRef":{"$ref":"#/$defs/uriReferenceString"},
          "$dynamicAnchor":{"$ref":"#/$defs/anchorString"},
          "$vocabulary":{"type":"object","propertyNames":{"$ref":"#/$defs/uriString"},
           "additionalProperties":{"type":"boolean"}},
          "$comment":{"type":"string"},
          "$defs":{"type":"object","additionalProperties":{"$dynamicRef":"#meta"}}},
         "$defs":{
          "anchorString":{"type":"string","pattern":"^[A-Za-z_][-A-Za-z0-9._]*$"},
          "uriString":{"type":"string","format":"uri"},
          "uriReferenceString":{"type":"string","format":"uri-reference"}}}
        """#

    private static let applicator = """
        {\(vocabulary("applicator")),
         "properties":{
          "prefixItems":{"$ref":"#/$defs/schemaArray"},"items":{"$dynamicRef":"#meta"},
          "contains":{"$dynamicRef":"#meta"},"additionalProperties":{"$dynamicRef":"#meta"},
          "properties":{"type":"object","additionalProperties":{"$dynamicRef":"#meta"},"default":{}},
          "patternProperties":{"type":"object","additionalProperties":{"$dynamicRef":"#meta"},
           "propertyNames":{"format":"regex"},"default":{}},
          "dependentSchemas":{"type":"object","additionalProperties":{"$dynamicRef":"#meta"},"default":{}},
          "propertyNames":{"$dynamicRef":"#meta"},"if":{"$dynamicRef":"#meta"},"then":{"$dynamicRef":"#meta"},
          "else":{"$dynamicRef":"#meta"},"allOf":{"$ref":"#/$defs/schemaArray"},
          "anyOf":{"$ref":"#/$defs/schemaArray"},"oneOf":{"$ref":"#/$defs/schemaArray"},
          "not":{"$dynamicRef":"#meta"}},
         "$defs":{"schemaArray":{"type":"array","minItems":1,"items":{"$dynamicRef":"#meta"}}}}
        """

    private static let unevaluated = """
        {\(vocabulary("unevaluated")),
         "properties":{"unevaluatedItems":{"$dynamicRef":"#meta"},"unevaluatedProperties":{"$dynamicRef":"#meta"}}}
        """

    private static let validation = """
        {\(vocabulary("validation")),
         "properties":{
          "type":{"anyOf":[{"$ref":"#/$defs/simpleTypes"},
           {"type":"array","items":{"$ref":"#/$defs/simpleTypes"},"minItems":1,"uniqueItems":true}]},
          "const":true,"enum":{"type":"array","items":true},
          "multipleOf":{"type":"number","exclusiveMinimum":0},"maximum":{"type":"number"},
          "exclusiveMaximum":{"type":"number"},"minimum":{"type":"number"},"exclusiveMinimum":{"type":"number"},
          "maxLength":{"$ref":"#/$defs/nonNegativeInteger"},"minLength":{"$ref":"#/$defs/nonNegativeIntegerDefault0"},
          "pattern":{"type":"string","format":"regex"},
          "maxItems":{"$ref":"#/$defs/nonNegativeInteger"},"minItems":{"$ref":"#/$defs/nonNegativeIntegerDefault0"},
          "uniqueItems":{"type":"boolean","default":false},
          "maxContains":{"$ref":"#/$defs/nonNegativeInteger"},
          "minContains":{"$ref":"#/$defs/nonNegativeInteger","default":1},
          "maxProperties":{"$ref":"#/$defs/nonNegativeInteger"},
          "minProperties":{"$ref":"#/$defs/nonNegativeIntegerDefault0"},
          "required":{"$ref":"#/$defs/stringArray"},
          "dependentRequired":{"type":"object","additionalProperties":{"$ref":"#/$defs/stringArray"}}},
         "$defs":{
          "nonNegativeInteger":{"type":"integer","minimum":0},
          "nonNegativeIntegerDefault0":{"$ref":"#/$defs/nonNegativeInteger","default":0},
          "simpleTypes":{"enum":["array","boolean","integer","null","number","object","string"]},
          "stringArray":{"type":"array","items":{"type":"string"},"uniqueItems":true,"default":[]}}}
        """

    private static let metaData = """
        {\(vocabulary("meta-data")),
         "properties":{"title":{"type":"string"},"description":{"type":"string"},"default":true,
          "deprecated":{"type":"boolean","default":false},"readOnly":{"type":"boolean","default":false},
          "writeOnly":{"type":"boolean","default":false},"examples":{"type":"array","items":true}}}
        """

    private static func format(_ name: String) -> String {
        "{\(vocabulary(name)),\"properties\":{\"format\":{\"type\":\"string\"}}}"
    }

    private static let content = """
        {\(vocabulary("content")),
         "properties":{"contentEncoding":{"type":"string"},"contentMediaType":{"type":"string"},
          "contentSchema":{"$dynamicRef":"#meta"}}}
        """
}
