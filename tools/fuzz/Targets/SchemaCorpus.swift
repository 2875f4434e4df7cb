/// Schemas that together use every keyword, each with initial texts.
///
/// Stored cases refer to schemas by index: append only.
enum SchemaCorpus {
    struct Entry: Sendable {
        let schema: String
        let texts: [String]

        init(_ schema: String, _ texts: String...) {
            self.schema = schema
            self.texts = texts
        }
    }

    static let all: [Entry] = scalars + containers + logic + formats + events
}

extension SchemaCorpus {
    private static let scalars = [
        Entry("true", "1", "{}", ##"[[],{"a":[{"b":null}]}]"##),
        Entry(##"{"type":"integer","minimum":-5,"maximum":1e3}"##, "7", "-5.0", "1e3", "1000.5"),
        Entry(##"{"type":"number","exclusiveMinimum":0.1,"exclusiveMaximum":1E400}"##, "0.2", "1e399", "0.1"),
        Entry(##"{"multipleOf":3}"##, "9", "-12", "1e20", "9.0", "3000000000000000000000003"),
        Entry(##"{"multipleOf":0.01}"##, "0.07", "1.005", "1e-2", "19.99", "1e308"),
        Entry(
            ##"{"type":["string","null"],"minLength":2,"maxLength":5}"##, ##""abc""##, ##""\u00e9é😀""##,
            ##""\uD83D\uDE00a""##, "null"),
        Entry(
            ##"{"enum":[1,"a",null,true,[1,{"a":1.0}],{"b":2}]}"##, "1.0", ##""\u0061""##, "[1,{\"a\":1}]",
            ##"{"b":20e-1}"##),
        Entry(##"{"const":{"a":[1,2,{"c":"é"}]}}"##, ##"{"a":[1,2,{"c":"\u00e9"}]}"##, "{}"),
        Entry(
            ##"{"enum":["alpha","beta","gamma-delta-epsilon","x","yy","zzz","wwww","vvvvv","uuuuuu"]}"##, ##""beta""##,
            ##""gamma-delta-epsilon""##),
        Entry(##"{"type":"string","pattern":"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"}"##, ##""page-view""##, ##""a--b""##),
        Entry(##"{"pattern":"^(?:(a+)+|[^b\\d]{2,5}?|\\p{Lu}x*)\\b.?$"}"##, ##""aaaaaaaaaaaaaaaaaaaa!""##, ##""Éxx""##),
        Entry(##"{"pattern":"(?<y>\\d{4})-\\k<y>(?=z|$)(?!q)"}"##, ##""2020-2020""##),
    ]

    private static let containers = [
        Entry(
            ##"{"type":"object","required":["a","b"],"properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{}},"additionalProperties":false}"##,
            ##"{"a":1,"b":"x"}"##, ##"{"b":"x","a":1,"c":[{}]}"##, ##"{"\u0061":1,"b":""}"##, ##"{"a":1,"a":2,"b":""}"##
        ),
        Entry(
            ##"{"properties":{"a":{"$ref":"#"},"name":{"$ref":"#"}},"additionalProperties":{"type":"number"},"minProperties":1,"maxProperties":4}"##,
            ##"{"a":{"a":{"x":1}},"y":2}"##, ##"{"x":1,"x":2}"##, ##"{"name":{"z":0}}"##),
        Entry(
            ##"{"patternProperties":{"^a":{"type":"integer"},"b$":{"minimum":3}},"properties":{"ab":{"maximum":9}},"additionalProperties":{"type":"null"},"propertyNames":{"maxLength":3}}"##,
            ##"{"ab":5,"a":1,"xb":4,"z":null}"##, ##"{"abcd":3}"##),
        Entry(
            ##"{"dependentRequired":{"a":["b","c"]},"dependentSchemas":{"d":{"required":["e"]}}}"##,
            ##"{"a":1,"b":2,"c":3}"##, ##"{"d":1}"##, ##"{"d":1,"e":1}"##),
        Entry(
            ##"{"dependentRequired":{"a":["b"],"name":["a","c"]}}"##, ##"{"name":1,"a":2,"b":3,"c":4}"##, ##"{"a":1}"##),
        Entry(
            ##"{"type":"array","items":{"type":"array","items":{"type":"integer"}},"minItems":1,"maxItems":3}"##,
            "[[1,2],[]]", "[[]]"),
        Entry(
            ##"{"prefixItems":[{"type":"string"},{"type":"number"}],"items":{"type":"boolean"}}"##, ##"["a",1,true]"##,
            ##"["a"]"##),
        Entry(##"{"contains":{"minimum":5},"minContains":2,"maxContains":3}"##, "[5,6,1]", "[1]", "[5,5,5,5]"),
        Entry(
            ##"{"uniqueItems":true}"##, "[1,2,3]", "[1,1.0]", ##"[{"a":1,"b":2},{"b":2,"a":1}]"##, ##"["a","\u0061"]"##,
            "[[],[[]],0,-0,false,null,\"\"]"),
        Entry(
            ##"{"contains":{"type":"string"},"minContains":0,"unevaluatedItems":{"type":"integer"}}"##, ##"["a",1]"##,
            "[1.5]"),
        Entry(
            ##"{"properties":{"p00":true,"p01":true,"p02":true,"p03":true,"p04":true,"p05":true,"p06":true,"p07":true,"p08":true,"p09":true,"p10":true,"p11":true,"p12":true,"p13":true,"p14":true,"p15":true,"p16":true,"a":{"type":"integer"},"a-name-of-many-bytes":{"type":"string"},"a-name-of-many-bytez":{"type":"null"}},"required":["p03","a"]}"##,
            ##"{"p03":1,"a":2,"a-name-of-many-bytes":"","a-name-of-many-bytez":null}"##, ##"{"p03":[],"a":1}"##),
        Entry(
            ##"{"required":["b00","b01","b02","b03","b04","b05","b06","b07","b08","b09","b10","b11","b12","b13","b14","b15","b16","b17","b18","b19","b20","b21","b22","b23","b24","b25","b26","b27","b28","b29","b30","b31","b32","b33","b34","b35","b36","b37","b38","b39","b40","b41","b42","b43","b44","b45","b46","b47","b48","b49","b50","b51","b52","b53","b54","b55","b56","b57","b58","b59","b60","b61","b62","b63","b64"]}"##,
            ##"{"b00":1}"##, "[]"),
    ]

    private static let logic = [
        Entry(
            ##"{"allOf":[{"type":"object"},{"required":["a"]}],"properties":{"b":{"allOf":[{"minimum":1},{"maximum":5}]}}}"##,
            ##"{"a":1,"b":3}"##),
        Entry(
            ##"{"anyOf":[{"type":"string","maxLength":3},{"type":"integer"},{"properties":{"a":{"const":1}},"required":["a"]}]}"##,
            ##""abc""##, "5", ##"{"a":1}"##),
        Entry(##"{"oneOf":[{"multipleOf":2},{"multipleOf":3},{"type":"string"}]}"##, "4", "6", ##""x""##),
        Entry(##"{"not":{"anyOf":[{"type":"null"},{"required":["a"]}]}}"##, "{}", "null", ##"{"a":1}"##),
        Entry(
            ##"{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"maxProperties":1}}"##,
            ##"{"a":1,"b":2}"##, ##"{"a":2}"##, "{}"),
        Entry(
            ##"{"allOf":[{"properties":{"a":true}},{"if":{"required":["c"]},"then":{"properties":{"c":true}}}],"properties":{"b":true},"unevaluatedProperties":false}"##,
            ##"{"a":1,"b":2,"c":3}"##, ##"{"d":1}"##),
        Entry(
            ##"{"anyOf":[{"prefixItems":[true]},{"prefixItems":[true,{"type":"integer"}]}],"unevaluatedItems":false}"##,
            "[1,2]", "[1,2,3]", ##"["",""]"##),
        Entry(
            ##"{"properties":{"a":{"properties":{"b":{"unevaluatedProperties":{"type":"integer"},"anyOf":[{"properties":{"x":true}},{"patternProperties":{"^y":true}}]}}}}}"##,
            ##"{"a":{"b":{"x":"","y":[],"z":1}}}"##, ##"{"a":{"b":{"z":null}}}"##),
        Entry(
            ##"{"$id":"https://example.org/tree","$dynamicAnchor":"node","properties":{"a":true,"children":{"items":{"$dynamicRef":"#node"}}},"$defs":{"s":{"$id":"s","$dynamicAnchor":"node","unevaluatedProperties":false,"$ref":"tree"}}}"##,
            ##"{"a":1,"children":[{"children":[{}]}]}"##),
        Entry(
            ##"{"$ref":"#/$defs/list","$defs":{"list":{"type":"object","properties":{"a":{"type":"number"},"next":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/list"}]}},"required":["a"]}}}"##,
            ##"{"a":1,"next":{"a":2,"next":null}}"##),
        Entry(
            ##"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"##, ##"{"type":"object"}"##, ##"{"type":5}"##,
            ##"{"properties":{"a":{"minimum":"x"}},"$defs":{"b":true}}"##),
        Entry(
            ##"{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"items":{"$ref":"#"}},"b":{"type":"object","additionalProperties":{"$ref":"#"}}}}"##,
            "[[[{}]]]", ##"{"a":[[{"b":[]}]]}"##),
    ]

    private static let texts: [(format: String, texts: [String])] = [
        ("date-time", ["2024-02-29T23:59:60Z", "2024-02-29t12:00:00.5+01:30", "1990-12-31T15:59:60-08:00"]),
        ("date", ["2024-02-29", "2023-02-29"]), ("time", ["23:59:60Z", "12:00:00.123456789-23:59"]),
        ("duration", ["P1Y2M3DT4H5M6S", "P4W", "PT0S"]), ("uuid", ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"]),
        ("uri", ["http://u:p@[::1]:80/a%20b;c?d=e#f", "urn:a:b"]), ("uri-reference", ["../a?b#c", "//h", ""]),
        ("iri", ["http://ƒøø.ßår/?∂éœ=πîx#πîüx"]), ("iri-reference", ["âππ", "#ƒrägmênt"]),
        ("uri-template", ["http://x/{term:1}/{+a*,b}{?q}", "{", "{#a}"]),
        ("email", ["joe.bloggs@example.com", ##"\"a b\"@[IPv6:::1]"##]),
        ("hostname", ["www.example.com", "xn--4gbwdl.xn--wgbh1c", "a..b"]),
        ("ipv4", ["192.168.0.1", "256.0.0.1"]), ("ipv6", ["::ffff:192.168.0.1", "1:2:3:4:5:6:7:8", "1::2::3"]),
        ("json-pointer", ["/foo/~0~1", "/~2"]), ("relative-json-pointer", ["0#", "12/a", "01"]),
        ("regex", [##"^(a|b)[^\\w]{1,3}\\u0041$"##, "("]),
        ("idn-hostname", ["실례.테스트", "a\u{00B7}l", "l·l", "〮실례", "א׳ב", "xn--X"]), ("idn-email", ["실례@실례.테스트"]),
    ]

    private static let formats = texts.map { Entry(format: $0.format, $0.texts) }

    private static let events = [
        Entry(
            ##"{"type":"object","required":["name","id","time"],"additionalProperties":false,"properties":{"name":{"enum":["a","page-view"]},"id":{"type":"string","format":"uuid"},"time":{"type":"string","format":"date-time"},"value":{"type":"object","required":["page"],"properties":{"page":{"type":"string","minLength":1},"count":{"type":"integer","minimum":0,"maximum":100},"tags":{"type":"array","items":{"type":"string"},"maxItems":3,"uniqueItems":true},"mail":{"format":"email"},"link":{"format":"uri","pattern":"^https:"}}}}}"##,
            ##"{"name":"page-view","id":"2eb8aa08-aa98-11ea-b4aa-73b441d16380","time":"2024-02-29T23:59:59Z","value":{"page":"x","count":7,"tags":["a","b"],"mail":"a@b.c","link":"https://x"}}"##
        )
    ]
}

extension SchemaCorpus.Entry {
    fileprivate init(format: String, _ texts: [String]) {
        schema = #"{"format":"\#(format)"}"#
        self.texts = texts.map { "\"\($0)\"" }
    }
}
