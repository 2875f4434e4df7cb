import Testing

@testable import JSONSchema

/// Texts that are equal as Swift strings but have different scalars: é as one or two scalars, and the kelvin sign,
/// which becomes a K.
@Suite("Canonically equivalent texts")
struct EquivalentTextTests {
    private static let one = "\u{E9}"
    private static let two = "e\u{301}"

    private static func isValid(_ schema: String, _ instance: String) throws -> Bool {
        try SchemaSet.compile(JSONDocument(schema.utf8)).isValid(Array(instance.utf8))
    }

    @Test("Canonically equivalent patterns are different", arguments: [(one, two), (two, one)])
    func patterns(_ first: String, _ second: String) throws {
        let properties = #"{"properties":{"a":{"pattern":"^\#(first)$"},"b":{"pattern":"^\#(second)$"}}}"#
        #expect(try Self.isValid(properties, #"{"a":"\#(first)","b":"\#(second)"}"#))
        #expect(try !Self.isValid(properties, #"{"b":"\#(first)"}"#))
        let names = #"{"patternProperties":{"^\#(first)$":{"type":"string"},"^\#(second)$":{"type":"number"}}}"#
        #expect(try Self.isValid(names, #"{"\#(first)":"x","\#(second)":1}"#))
        #expect(try !Self.isValid(names, #"{"\#(second)":"x"}"#))
    }

    @Test("Canonically equivalent group names are different")
    func groups() throws {
        let (first, second) = ("d\u{323}\u{307}", "\u{1E0D}\u{307}")
        #expect(try Self.isValid(#"{"pattern":"^(?<\#(first)>a)(?<\#(second)>b)$"}"#, #""ab""#))
        #expect(throws: SchemaError.self) { try Self.isValid(#"{"pattern":"(?<\#(first)>a)\\k<\#(second)>"}"#, "1") }
    }

    @Test("Canonically equivalent URIs are different, and invalid as anchors")
    func identifiers() throws {
        let schema =
            ##"{"$ref":"urn:\##(Self.two)","$defs":{"a":{"$id":"urn:\##(Self.one)","type":"string"},"##
            + ##""b":{"$id":"urn:\##(Self.two)","type":"number"}}}"##
        #expect(try Self.isValid(schema, "1") && !Self.isValid(schema, #""a""#))
        for keyword in ["$ref", "$dynamicRef"] {
            let kelvin = ##"{"\##(keyword)":"#\##u{212A}","$defs":{"a":{"$dynamicAnchor":"K"}}}"##
            #expect(throws: SchemaError.self) { try Self.isValid(kelvin, "1") }
        }
    }

    @Test("Canonically equivalent pointers are different, and a slash always separates tokens")
    func pointers() throws {
        #expect(JSONPointer([Self.one]) != JSONPointer([Self.two]))
        #expect(JSONPointer([Self.one]) == JSONPointer([Self.one]))
        #expect(Set([JSONPointer([Self.one]), JSONPointer([Self.two])]).count == 2)
        let schema = ##"{"$ref":"#/\##u{338}","\##u{338}":{"type":"string"}}"##
        #expect(try Self.isValid(schema, #""a""#) && !Self.isValid(schema, "1"))
        #expect(URIReference.withoutDotSegments("a/\u{338}b/../c") == "a/c")
    }
}
