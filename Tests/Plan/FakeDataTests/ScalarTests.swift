import JSONSchema
import Testing

@Suite("Fake numbers and strings")
struct ScalarTests {
    @Test(
        "Values satisfy every keyword of numbers",
        arguments: [
            #"{"type":"integer","minimum":3,"maximum":5}"#,
            #"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}"#,
            #"{"type":"integer","multipleOf":7,"minimum":100,"maximum":200}"#, #"{"type":"number","multipleOf":0.05}"#,
            #"{"type":"integer","minimum":-9007199254740991,"maximum":-9007199254740990}"#,
            #"{"minimum":1e300,"type":"number"}"#, #"{"type":"number","multipleOf":0.1,"allOf":[{"multipleOf":0.25}]}"#,
            #"{"type":"number","minimum":0.1234,"maximum":0.1235}"#, #"{"type":"integer","not":{"minimum":5}}"#,
            #"{"type":["integer","null"],"maximum":0}"#, #"{"enum":[1,1.5,"one",null,[1, 2],{"a": 1}]}"#,
            #"{"const":{"a": [1, "é\n"]}}"#,
        ])
    func numbers(_ schema: String) throws { #expect(try values(schema).count == 100) }

    @Test("All values of an enum occur within a few draws")
    func enumeration() throws {
        let made = Set(try texts(#"{"enum":["a","b","c","d","e"]}"#))
        #expect(made == ["a", "b", "c", "d", "e"])
    }

    @Test("Page numbers are usually small, but not always the first")
    func pages() throws {
        let pages = try values(
            #"{"type":"object","properties":{"page":{"type":"integer","minimum":1}},"required":["page"]}"#, 500
        ).compactMap { $0.root["page"]?.integer }
        #expect(pages.filter { $0 == 1 }.count > 250)
        #expect(pages.contains { $0 > 1 } && pages.allSatisfy { $0 < 50 })
    }

    @Test(
        "Values satisfy every keyword of strings",
        arguments: [
            #"{"type":"string","minLength":5,"maxLength":7}"#, #"{"type":"string","maxLength":0}"#,
            #"{"type":"string","minLength":5000}"#, #"{"type":"string","pattern":"^[a-z]{3}-\\d{4}$"}"#,
            #"{"type":"string","pattern":"^(GET|PUT) /[\\w/]+$","maxLength":12}"#,
            #"{"type":"string","pattern":"^x*$","minLength":300,"maxLength":310}"#,
            #"{"type":"string","pattern":"^(\\w)(\\d)\\2\\1$"}"#,
            #"{"type":"string","pattern":"(?=.*\\d)[a-z\\d]{4}"}"#,
            #"{"type":"string","pattern":"^\\p{Lu}\\p{Ll}+$"}"#, #"{"type":"string","pattern":"b","format":"uuid"}"#,
            #"{"type":"string","allOf":[{"pattern":"^a"},{"pattern":"^a+b?$"}]}"#,
            #"{"type":"string","not":{"pattern":"^a"}}"#, #"{"type":"string","pattern":"^[^a-zA-Z0-9 ]{2}$"}"#,
        ])
    func strings(_ schema: String) throws { #expect(try values(schema).count == 100) }

    @Test(
        "Strings have every format",
        arguments: [
            "date-time", "date", "time", "duration", "uuid", "uri", "uri-reference", "iri", "iri-reference",
            "uri-template",
            "email", "hostname", "ipv4", "ipv6", "json-pointer", "relative-json-pointer", "regex",
        ])
    func formats(_ format: String) throws {
        #expect(Set(try texts(#"{"type":"string","format":"\#(format)"}"#, 50)).count > 5)
    }

    @Test("Values fit the names of their properties")
    func names() throws {
        func made(_ name: String) throws -> String {
            let schema =
                #"{"type":"object","properties":{"\#(name)":{"type":"string","minLength":1}},"required":["\#(name)"]}"#
            return try values(schema, 1)[0].root[name]?.string ?? ""
        }
        #expect(try made("homepageURL").hasPrefix("https://"))
        #expect(try made("contact_email").contains("@example") || made("contact_email").contains(".example."))
        #expect(try made("appVersion").contains("."))
        #expect(try made("created-at").hasSuffix("Z"))
        #expect(try made("fullName").split(separator: " ").count == 2)
        #expect(try made("sessionUUID").utf8.count == 36)
    }

    @Test("Values resemble the examples: links share a host, listed words are unchanged")
    func examples() throws {
        let links = try texts(#"{"type":"string","examples":["https://github.com/apple/swift"]}"#)
        #expect(links.filter { $0.hasPrefix("https://github.com/") }.count > 50)
        #expect(Set(links).count > 50)
        let words = try texts(#"{"type":"string","examples":["new-release"]}"#)
        #expect(words.contains("new-release"))
    }
}
