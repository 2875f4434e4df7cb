import Testing

@testable import JSONSchema

@Suite("URI references")
struct URIReferenceTests {
    private static let base = "http://a/b/c/d;p?q"

    @Test(
        "References resolve as in RFC 3986, section 5.4",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func examplesOfTheStandard(_ reference: String, _ target: String) {
        #expect(URIReference(reference).resolved(against: URIReference(Self.base)).description == target)
    }

    @Test(
        "References resolve against other kinds of bases",
        arguments: [
            ("urn:example:a", "#b", "urn:example:a#b"), ("urn:example:a", "b", "urn:b"),
            ("urn:example:a?+q", "#/x", "urn:example:a?+q#/x"), ("urn:example:a", "urn:example:b#c", "urn:example:b#c"),
            ("urn:example:a", "", "urn:example:a"), ("urn:a/b", "../../c", "urn:/c"), ("http://a", "b", "http://a/b"),
            ("http://a?q", "b", "http://a/b"), ("http://a/b#old", "#new", "http://a/b#new"),
            ("http://a/b#old", "", "http://a/b"), ("http://a/b", "#", "http://a/b#"), ("", "a/b", "a/b"),
            ("a/b", "c", "a/c"), ("/a/b", "../c", "/c"), ("", "#a", "#a"), ("file:///a/b", "c", "file:///a/c"),
            ("file:/a", ".//b", "file:/.//b"), ("http://a/b/", "c", "http://a/b/c"),
            ("http://a/b/%7E", "c%2Fd", "http://a/b/c%2Fd"), ("http://\u{E4}/b", "\u{F6}", "http://\u{E4}/\u{F6}"),
        ])
    func otherBases(_ base: String, _ reference: String, _ target: String) {
        #expect(URIReference(reference).resolved(against: URIReference(base)).description == target)
    }

    @Test(
        "Splitting and joining a reference gives the same text",
        arguments: [
            "", "#", "?", "?#", "/", "//", "///", "a", "a:", "a:b", "a:b:c", "a://", "a://b", "a://b/c?d#e", "a:///b",
            "a://b?c", "a?b?c#d#e", "//a/b", "a/b:c", "1:a", ":", "a#b:c", "a?b:c", "urn:a:b?=q#f", "\u{E4}:b", "%:/?",
        ])
    func roundTrip(_ text: String) {
        #expect(URIReference(text).description == text)
    }

    @Test("References are split into parts")
    func parts() {
        let whole = URIReference("http://u@h:1/p/q?r=s?#t?u#")
        #expect(whole.scheme == "http")
        #expect(whole.authority == "u@h:1")
        #expect(whole.path == "/p/q")
        #expect(whole.query == "r=s?")
        #expect(whole.fragment == "t?u#")
        #expect(whole.withoutFragment == "http://u@h:1/p/q?r=s?")
        #expect(whole.scheme != nil)
        let name = URIReference("urn:a:b")
        #expect(name.scheme == "urn")
        #expect(name.authority == nil)
        #expect(name.path == "a:b")
        #expect(name.query == nil)
        #expect(name.fragment == nil)
        #expect(URIReference("a#").fragment == "")
        #expect(URIReference("1:b").scheme == nil)
    }

    @Test(
        "Fragments are percent-decoded",
        arguments: [
            ("#/a%25b", "/a%b"), ("#%C3%a4", "\u{E4}"), ("#", ""), ("#a+b", "a+b"), ("#%7E0%2f", "~0/"), ("a", nil),
            ("#%", nil), ("#%4", nil), ("#%4g", nil), ("#%g4", nil), ("#%FF", nil), ("#%C3", nil), ("#%00", "\u{0}"),
        ] as [(String, String?)])
    func fragments(_ text: String, _ fragment: String?) {
        #expect(URIReference(text).decodedFragment == fragment)
    }
}
