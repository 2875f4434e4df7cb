import Testing

@testable import JSONSchema

@Suite("URIs, IRIs, templates and pointers")
struct URIFormatTests {
    private static let absolute = [
        "http://example.com", "http://example.com/", "http://example.com:80/a/b?c=d&e#f", "a:", "a:b", "a:/", "a:/b",
        "a://", "a:///b", "a+b-c.d1:e", "urn:isbn:0451450523", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "mailto:a@b.example", "tel:+49-30", "data:,a%20b", "http://[::1]", "http://[::1]:8080/", "http://[v1.a:b]/",
        "http://[vF.!$&'()*+,;=:~]/", "http://user:pass@host", "http://@host", "http://:@host:", "http://host:",
        "http://host:99999999/", "http://a_b~c!d/", "http://%41%e4/", "http://1.2.3.4", "http://999.999.999.999",
        "file:///etc/hosts", "a:b:c", "a:?", "a:#", "a:??//?#??//?", "http://a//b///c", "http://a/;p=1,2/@:",
        "HTTP://A", "a:%00", "news:comp.lang",
    ]
    private static let relative = [
        "", "#", "?", "/", "//", "//host", "//host/a", "/a/b", "a", "a/b:c", "./a:b", "..", "?a:b", "#a:b", "a?b#c",
        "/:", "%41", "@", "a@b", "*", "//u@h:1/", "/a:b",
    ]
    private static let broken = [
        "http://exa mple.com", "http://a/ b", "http://a/\\b", "http://a/\"", "http://a/<b>", "http://a/{b}",
        "http://a/^", "http://a/`", "http://a/|", "http://a/%", "http://a/%4", "http://a/%4g", "http://a/%g4",
        "http://a?%", "http://a#%x", "http://%4/", "http://a%/", "http://[", "http://[]", "http://[::1", "http://::1",
        "http://[::1]a", "http://[::1]:a", "http://[1.2.3.4]", "http://[v.a]", "http://[v1.]", "http://[v1a]",
        "http://[v1.a/]", "http://[::1%25eth0]", "http://a:b", "http://a:-1", "http://a:1:2", "http://a@b@c",
        "http://a]b",
        "http://a[b", "http://a/[", "http://a/]", "http://a?[", "http://a#]", "http://a##", "http://a#b#c", "a\u{0}:b",
        "http://a/\u{7F}", "http://a/\u{9}", "http://a/\n", "http://u[@a", "http:// a", "http://u%@a", "1a:b", "+a:b",
        ":", ":a", "a_b:c", "a%41:b", "a,b:c", "\\\\host\\share",
    ]
    private static let international = [
        "http://\u{E4}.example/\u{F6}?\u{FC}#\u{DF}", "http://a/\u{20AC}", "http://a/\u{1F600}", "http://\u{E4}@b/",
        "a:\u{A0}", "a:\u{D7FF}", "a:\u{F900}", "a:\u{FDCF}", "a:\u{FDF0}", "a:\u{FFEF}", "a:\u{10000}", "a:\u{1FFFD}",
        "a:\u{EFFFD}", "a:\u{E1000}", "a:?\u{E000}", "a:?\u{F8FF}", "a:?\u{10FFFD}",
    ]
    private static let brokenInternational =
        [
            "a:\u{80}", "a:\u{9F}", "a:\u{E000}", "a:\u{F8FF}", "a:#\u{E000}", "a://\u{E000}",
            "a:\u{FFF0}", "a:\u{FFFD}", "a:\u{1FFFE}", "a:\u{1FFFF}", "a:\u{E0000}", "a:\u{E0FFF}", "a:\u{F0000}",
            "a:?\u{FFFFE}", "a:?\u{10FFFF}", "\u{E4}:b", "http://a:\u{661}",
        ] + [0xFDD0, 0xFDEF].compactMap(Unicode.Scalar.init).map { "a:" + String($0) }

    @Test(
        "Invalid URIs, templates and pointers are rejected",
        arguments: [
            FormatTable(
                format: .uri, good: absolute, bad: relative + broken + international + brokenInternational + ["\u{E4}"]),
            FormatTable(
                format: .uriReference, good: absolute + relative,
                bad: broken + international + brokenInternational + ["\u{E4}"]),
            FormatTable(format: .iri, good: absolute + international, bad: relative + broken + brokenInternational),
            FormatTable(
                format: .iriReference, good: absolute + relative + international + ["\u{E4}", "//\u{E4}"],
                bad: broken + brokenInternational),
            FormatTable(
                format: .uriTemplate,
                good: [
                    "", "a", "/a/{b}", "{a}{b}", "{+a}", "{#a}", "{.a}", "{/a}", "{;a}", "{?a}", "{&a}", "{=a}", "{,a}",
                    "{!a}", "{@a}", "{|a}", "{a,b}", "{?a*,b:3}", "{a:1}", "{a:9999}", "{a.b.c}", "{a_1}", "{%41b}",
                    "{1}", "%41", "\u{E4}{a}", "\u{E000}", "'", "[::1]", "a#b", "{a*}",
                ],
                bad: [
                    "{", "}", "{}", "{a", "a}", "{{a}}", "{a}}", "{a b}", "{a,}", "{,}", "{a,,b}", "{+}", "{++a}",
                    "{-a}",
                    "{a:}", "{a:0}", "{a:01}", "{a:10000}", "{a:x}", "{a**}", "{a:1*}", "{*a}", "{.a.}", "{a..b}",
                    "{..a}", "{a.}", "{%4}", "{%}", "%", "%4", "%4g", " ", "<", ">", "\"", "\\", "^", "`", "|", "\u{0}",
                    "\u{7F}", "\u{80}", "{\u{E4}}", "{$a}", "{a=b}", "{a:1", "{a*", "{a:1,", "{",
                ]),
            FormatTable(
                format: .jsonPointer,
                good: [
                    "", "/", "//", "/a", "/a/b", "/~0", "/~1", "/~01", "/a~0b~1/c", "/ ", "/\u{E4}", "/#", "/\u{0}",
                ],
                bad: ["a", "#", "#/a", "~0", "/~", "/~2", "/a~", "/~/a", "/~~0", "/a~a", " /", "0", "\u{E4}"]),
            FormatTable(
                format: .relativeJSONPointer,
                good: ["0", "1", "10", "0#", "12#", "0/a", "1/", "0+1", "0-1", "0-1/a", "2+0", "0-1#", "0/~0", "0/#"],
                bad: [
                    "", "#", "/a", "00", "01", "01/a", "-1", "+1", "0a", "0##", "0#/a", "0+", "0-", "0+/a", "0+01",
                    "0+-1",
                    "0~0", "0/~", "0 ", " 0", "1.5", "\u{661}",
                ]),
        ])
    func tables(_ table: FormatTable) {
        #expect(table.misjudged == [])
    }
}
