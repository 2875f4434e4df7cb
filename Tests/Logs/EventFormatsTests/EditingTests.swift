import EventFormats
import EventModel
import JSONLines
import Testing

@Suite("Editing a line before it is written")
struct EditingTests {
    private static let line =
        #"{ "a" : "x\u0041" , "b":{"c":1.50,"d":[1, {"e":"y"} ,3]}, "f":null }"#

    private static func redacted(_ rules: String..., of line: String = line) throws -> String {
        try String(formatted([line], .jsonl) { $0.redactions = try rules.map { try RedactionRule($0) } }.dropLast())
    }

    private static func narrowed(_ fields: String, of line: String = line) throws -> String {
        try String(formatted([line], .jsonl) { $0.fields = try Field.list(fields) }.dropLast())
    }

    @Test("keeps every byte around a masked, hashed or dropped value")
    func redaction() throws {
        #expect(
            try Self.redacted("a") == #"{ "a" : "[redacted]" , "b":{"c":1.50,"d":[1, {"e":"y"} ,3]}, "f":null }"#)
        let digest = Redaction.hash("xA")
        #expect(
            try Self.redacted("a=hash", "b.d[1]=drop")
                == #"{ "a" : "\#(digest)" , "b":{"c":1.50,"d":[1 ,3]}, "f":null }"#)
        #expect(try Self.redacted("b.c=hash", of: #"{"b":{"c":1.50}}"#) == #"{"b":{"c":"\#(Redaction.hash("1.50"))"}}"#)
        #expect(try Self.redacted("a=drop", "f=drop") == #"{ "b":{"c":1.50,"d":[1, {"e":"y"} ,3]} }"#)
        #expect(try Self.redacted("*=drop") == "{ }")
        #expect(try Self.redacted("b.*=mask", "b.d=drop") == #"{ "a" : "x\u0041" , "b":{"c":"[redacted]"}, "f":null }"#)
        #expect(
            try Self.redacted("b.d[*].e", "none.x", "a.b", "f[0]")
                == Self.line.replacing("\"y\"", with: "\"[redacted]\""))
        #expect(try Self.redacted("none", of: "{}") == "{}")
        #expect(try Self.redacted("a.b", of: #"{"a":{"b":{}}}"#) == #"{"a":{"b":"[redacted]"}}"#)
    }

    @Test("applies the strictest rule that matches a value, in any order of the rules")
    func strictness() throws {
        let line = #"{"a":"x","b":"x"}"#
        #expect(try Self.redacted("a=hash", "*=mask", of: line) == #"{"a":"[redacted]","b":"[redacted]"}"#)
        #expect(try Self.redacted("a=drop", "a=hash", of: line) == #"{"b":"x"}"#)
    }

    @Test("rejects an invalid rule, with the column")
    func rules() {
        let error = #expect(throws: TypedTextError.self) { try RedactionRule("a=null") }
        #expect(error?.column == 3 && error?.reason == "write drop, mask or hash after the =")
        #expect(throws: TypedTextError.self) { try RedactionRule("a=drop,b") }
    }

    @Test("keeps nesting, order and text of the selected fields")
    func selection() throws {
        #expect(try Self.narrowed("f,a") == #"{"a":"x\u0041","f":null}"#)
        #expect(try Self.narrowed("b.c") == #"{"b":{"c":1.50}}"#)
        #expect(try Self.narrowed("b.d[2],b.d[1].e") == #"{"b":{"d":[{"e":"y"},3]}}"#)
        #expect(try Self.narrowed("b.d[*].e") == #"{"b":{"d":[{"e":"y"}]}}"#)
        #expect(try Self.narrowed("b,b.c") == #"{"b":{"c":1.50,"d":[1,{"e":"y"},3]}}"#)
        #expect(try Self.narrowed("a.x,b.y,z") == "{}")
    }

    @Test("redacts before it selects, in every format")
    func composition() throws {
        let secret = #"{"event":{"name":"search","value":{"query":"secret","page":1}},"user_id":"secret","time":1}"#
        for format in OutputFormat.allCases {
            let text = try formatted([secret], format) {
                $0.redactions = [try RedactionRule("*.value.query"), try RedactionRule("user_id=drop")]
            }
            #expect(!text.contains("secret"), "\(format.rawValue)")
            #expect(text.contains("[redacted]"), "\(format.rawValue)")
            let narrowed = try formatted([secret], format) { $0.fields = try Field.list("event.value.page,time") }
            #expect(!narrowed.contains("secret"), "\(format.rawValue)")
            // In Base64 or not, the line itself is edited, too.
            if format == .cloudEvents {
                #expect(try fromCloudEvents(narrowed) == #"{"event":{"value":{"page":1}},"time":1}"#)
            }
        }
    }

    @Test("rejects a view or a star where the format cannot show it")
    func refusals() {
        let view = #expect(throws: FormatOptionsError.self) {
            try formatted([], .jsonl) { $0.fields = try Field.list("time:hour") }
        }
        #expect(
            view?.description
                == "time:hour: views need csv, tsv, table or a template: remove the view")
        let star = #expect(throws: FormatOptionsError.self) {
            try formatted([], .csv) { $0.fields = try Field.list("seq,event.*") }
        }
        #expect(star?.description == "event.*: * can match several values, but a column shows one: name the members")
    }
}
