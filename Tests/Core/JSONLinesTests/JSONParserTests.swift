import Testing

@testable import JSONLines

@Suite("JSONParser")
struct JSONParserTests {
    @Test(
        "accepts what RFC 8259 allows",
        arguments: [
            ("null", .null), (" \t\r\n true ", true), ("-0", 0), ("12", 12), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", .number(1)), ("1E-2", 0.01),
            (#""""#, ""), (#""\u00e9\n\/\ud83c\udf0a""#, "é\n/🌊"), ("[]", []), ("[1,[2]]", [1, [2]]),
            (#"{"a":{},"b":[{}]}"#, ["a": [:], "b": [[:]]]),
        ] as [(String, JSONValue)])
    func accepts(text: String, expected: JSONValue) throws {
        #expect(try JSONParser.parse(text.utf8) == expected)
    }

    @Test(
        "rejects everything else, with the position",
        arguments: [
            ("", 0), ("  ", 2), ("nul", 0), ("[1,]", 3), ("[1 2]", 3), (#"{"a"}"#, 4), (#"{"a":1,}"#, 7), ("{a:1}", 1),
            ("01", 1), ("-", 1), ("1.", 2), ("1e", 2), (".5", 0), ("+1", 0), ("NaN", 0), ("1e999", 0), ("1 2", 2),
            (#"""#, 1), ("\"\t\"", 1), (#""\x""#, 1), (#""\ud800""#, 1), (#""\udc00""#, 1), (#""\u00g0""#, 5),
            (#"{"a":1,"a":2}"#, 7), ("{\"a\":1", 6), ("\u{FEFF}1", 0), ("// 1", 0),
        ])
    func refuses(text: String, offset: Int) {
        #expect { try JSONParser.parse(text.utf8) } throws: { ($0 as? JSONSyntaxError)?.offset == offset }
    }

    @Test(
        "rejects invalid UTF-8, with the position of the first byte",
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0x22], 1),
            ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0x61, 0x62, 0xED, 0xA0, 0x80, 0x22], 3),
            ([0x22, 0x5C, 0x6E, 0xC3, 0xA9, 0x80, 0x22], 5), ([0x5B, 0x22, 0xE2, 0x82, 0x5C, 0x6E, 0x22, 0x5D], 2),
            ([0x7B, 0x22, 0x80, 0x22, 0x3A, 0x31, 0x7D], 2), ([0xFF], 0),
        ] as [([UInt8], Int)])
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        #expect { try JSONParser.parse(bytes) } throws: { ($0 as? JSONSyntaxError)?.offset == offset }
    }

    @Test("accepts 512 nested levels, but not one more")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONParser.parse(nested(512).utf8) }
        #expect { try JSONParser.parse(nested(513).utf8) } throws: { ($0 as? JSONSyntaxError)?.offset == 512 }
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(String(repeating: "{\"a\":", count: 100_000).utf8)
        }
    }

    @Test("returns the ranges of the top-level members")
    func members() throws {
        let text = #" { "a" : [1, 2] ,"b":"x"}"#
        let members = try JSONParser.parseWithMembers(text.utf8).members
        let bytes = Array(text.utf8)
        #expect(members.map(\.name) == ["a", "b"])
        #expect(members.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["[1, 2]", #""x""#])
    }

    @Test(
        "a value is nil exactly if the text is rejected",
        arguments: ["null", "[1,]", "{\"a\":1}", "", "1 2", "\"\u{E9}\""])
    func validating(text: String) {
        #expect(JSONValue(validating: text.utf8) == (try? JSONParser.parse(text.utf8)))
    }
}
