import Testing

@testable import JSONSchema

@Suite("Patterns")
struct PatternMatchingTests {
    typealias Case = (source: String, found: [String], notFound: [String])

    private func check(_ source: String, _ found: [String], _ notFound: [String]) throws {
        let patterns = try Pattern.forEachMatcher(source)
        for text in found { #expect(patterns.search(text) == .found, "\(source) in \(text.debugDescription)") }
        for text in notFound { #expect(patterns.search(text) == .notFound, "\(source) in \(text.debugDescription)") }
    }

    @Test(
        "Patterns match anywhere in a text",
        arguments: [
            ("", ["", "a", "😀"], []), ("a", ["a", "ba", "ab", "éaé", "aa"], ["", "b", "A", "á"]),
            ("ab|cd", ["ab", "xcd", "abcd"], ["a", "bc", "ac", "b"]), ("a|", ["", "b", "a"], []),
            ("|a", ["", "b"], []),
            ("aab", ["aaab", "aab", "aaaab"], ["ab", "aaba".replacing("aab", with: "aa"), "baa"]),
            ("abcabd", ["abcabcabd"], ["abcabc", "abcabcab"]), ("é", ["é", "aé"], ["e", "e\u{301}", "è"]),
            ("😀", ["😀", "a😀b"], ["😁", ""]), ("(a)(b)(c)", ["abc", "xabcx"], ["ab", "acb"]),
            ("(?:a|b)c", ["ac", "bc"], ["c", "ab"]), ("(?<x>a)b", ["ab"], ["a", "b"]), ("()", ["", "a"], []),
            ("(|a)b", ["b", "ab", "cb"], ["a", ""]), ("日本", ["日本", "今日本"], ["日", "本日"]),
        ] as [Case])
    func anywhere(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }

    @Test(
        "Quantifiers repeat",
        arguments: [
            ("^a*$", ["", "a", "aaa"], ["b", "aab", "baa"]), ("^a+$", ["a", "aaa"], ["", "b", "ab"]),
            ("^a?$", ["", "a"], ["aa"]), ("^a{2}$", ["aa"], ["", "a", "aaa"]),
            ("^a{2,}$", ["aa", "aaaaa"], ["a", ""]),
            ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]), ("^a{0}$", [""], ["a"]), ("^a{0,1}b$", ["b", "ab"], ["aab"]),
            ("^a{0,0}b$", ["b"], ["ab"]), ("^é{2}$", ["éé"], ["é", "ééé"]), ("^😀{2,}$", ["😀😀", "😀😀😀"], ["😀"]),
            ("^a*?$", ["", "aa"], ["ab"]), ("^a+?b$", ["ab", "aab"], ["b"]), ("^a??b$", ["b", "ab"], ["aab"]),
            ("^a{1,2}?$", ["a", "aa"], ["aaa", ""]), ("a{3}", ["aaaa", "baaa"], ["aabaa"]),
            ("^(?:ab){2}$", ["abab"], ["ab", "ababab", "aabb"]), ("^(?:a{2}){2}$", ["aaaa"], ["aa", "aaa", "aaaaa"]),
            ("^(?:a{1,2}){2}$", ["aa", "aaa", "aaaa"], ["a", "aaaaa"]),
            ("^(a|ab)(c|bcd)(d*)$", ["abcd", "acd", "abcdd"], ["ab"]),
            ("^(?:a|ab)+c$", ["ac", "abac", "aababc"], ["c", "abbc"]), ("^(a+|b)*$", ["", "aabab"], ["c", "abc"]),
            ("^[a-z]{1,3}-[0-9]{2,4}$", ["a-12", "abc-1234"], ["abcd-12", "a-1", "a-12345"]),
            ("^(?:x?){5}$", ["", "x", "xxxxx"], ["xxxxxx"]),
            ("^(?:a*b){2,3}$", ["bb", "aabab", "babab"], ["b", "bbbb"]),
        ] as [Case])
    func repetitions(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }

    @Test(
        "Loops of empty matches end",
        arguments: [
            ("^(a*)*$", ["", "a", "aaa"], ["b", "ab"]), ("^(a*)+$", ["", "aaa"], ["b"]),
            ("^(a?)*?b$", ["b", "aab"], ["c"]),
            ("^(?:)*$", [""], ["a"]), ("^(?:|a)+$", ["", "aaa"], ["b"]), ("^(?:a|)*b$", ["b", "aab"], ["", "ac"]),
            ("^(?:(?:a*)*)*$", ["", "aa"], ["b"]), ("^(?:a*?)*?$", ["", "aa"], ["b"]), ("(?:)*", ["", "a"], []),
            ("^(?:^a|b*)*$", ["", "abb", "bb"], ["ba"]), ("^(?:$|a)+$", ["", "aa"], ["b"]),
            (#"^(?:\b|a)+$"#, ["a", "aa"], ["", "ab"]),
            ("^(?:^)+$", [""], ["a"]), ("^(?:a*){3}$", ["", "aaaa"], ["b"]), ("^(?:a*){2,4}b$", ["b", "aab"], ["aa"]),
        ] as [Case])
    func emptyLoops(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }

    @Test(
        "Anchors and word boundaries match",
        arguments: [
            ("^", ["", "a"], []), ("$", ["", "a"], []), ("^$", [""], ["a", "\n"]), ("^a", ["a", "ab"], ["ba", "\na"]),
            ("a$", ["a", "ba"], ["ab", "a\n"]), ("a^", [], ["a", "a\na"]), ("$a", [], ["a", "\na"]),
            ("$^", [""], ["a"]),
            ("^a|b$", ["ax", "xb"], ["xa", "bx"]), ("(^|-)a", ["a", "x-a"], ["xa"]), ("a($|-)", ["a", "a-x"], ["ax"]),
            ("(?:^a)?b", ["b", "ab", "cb"], ["a"]), ("x*^a", ["a"], ["xa"]), ("^^a$$", ["a"], ["aa"]),
            (#"\bfoo\b"#, ["foo", "a foo", "foo-bar", "éfoo", "fooé"], ["afoo", "foo_", "foo1", "fo"]),
            (#"\Boo\B"#, ["fool"], ["foo", "oo", "ool"]), (#"^\b"#, ["a"], ["", "-", "é"]),
            (#"\b$"#, ["a", "-a"], ["a-", ""]),
            (#"\B"#, ["", "aa", "--", "é"], ["a"]), (#"^\B$"#, [""], ["a", "-"]), (#"a\b-"#, ["a-"], ["a", "-"]),
            (#"a\Bb"#, ["ab"], ["a-b"]), (#"a\bb"#, [], ["ab"]), (#"\B"#, [], ["c😎A"]),
            (#"\b\B"#, [], ["", "a", "a b"]),
            (#"é\b"#, ["éa"], ["é", "éé"]),
            (#"\b."#, ["a", "-a"], ["-", "\n"]), (#"(?:\b-)+"#, ["a-"], ["--", "-"]),
        ] as [Case])
    func assertions(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }

    @Test(
        "Lookahead and lookbehind match",
        arguments: [
            ("a(?=b)", ["ab"], ["a", "ac", "ba"]), ("a(?!b)", ["a", "ac"], ["ab"]), ("(?<=a)b", ["ab"], ["b", "cb"]),
            ("(?<!a)b", ["b", "cb"], ["ab"]),
            ("^(?=.*[A-Z])(?=.*[0-9]).{4,}$", ["aB3x", "12aB"], ["ab3x", "aBcd", "B1"]),
            ("^(?!foo$).*$", ["", "fo", "foox"], ["foo"]), ("^(?!.*--)[a-z-]+(?<!-)$", ["a-b"], ["a--b", "a-", "A"]),
            ("(?<=^ab)c", ["abc"], ["xabc", "ac"]), ("(?<=a{2})b", ["aab", "aaab"], ["ab"]),
            ("(?<=é)a", ["éa"], ["ea", "a"]),
            ("(?<=😀+)a", ["😀😀a"], ["a"]), ("(?<=a|bc)d", ["ad", "bcd"], ["cd", "d"]),
            ("(?<![a-z])x", ["x", "Ax"], ["ax"]),
            ("(?=a)(?=ab)abc", ["abc"], ["ab", "acb"]), ("(?=(a+))a*b", ["ab", "aab"], ["a", "b"]),
            ("(?!)", [], ["", "a"]),
            ("(?=)", ["", "a"], []), ("(?<=)", [""], []), ("(?!(?!a))", ["a"], ["", "b"]),
            ("(?=a(?!b))a", ["ac", "a"], ["ab"]),
            (#"(?<=\bfoo )bar"#, ["foo bar"], ["xfoo bar", "bar"]), ("(?:(?=a)a|b)+$", ["aba"], ["c", ""]),
            ("(?<=a(?=b))b", ["ab"], ["cb"]), ("(?<=(?<!x)a)b", ["ab", "aab"], ["xab"]), ("(?:(?=a))*b", ["b"], ["a"]),
        ] as [Case])
    func looks(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }

    @Test(
        "Backreferences match",
        arguments: [
            (#"^(a|b)\1$"#, ["aa", "bb"], ["ab", "a"]),
            (#"^(.)(.)\2\1$"#, ["abba", "éààé", "😀a a😀".replacing(" ", with: "")], ["abab"]),
            (#"^(?<q>["']).*\k<q>$"#, ["\"a\"", "''"], ["\"a'", "\""]), (#"^\1(a)$"#, ["a"], ["aa"]),
            (#"^(a\1)$"#, ["a"], ["aa"]),
            (#"^(a)?\1b$"#, ["b", "aab"], ["ab"]), (#"^(?:(a)|b)*\1$"#, ["aa", "ab", "abb", ""], ["abx"]),
            (#"^(?:(a)|(b)|(c))*\1\2\3$"#, ["abcc", "cc", "aa"], ["d", "ab"]),
            (#"^(a*)*\1$"#, ["", "aa"], ["a", "b"]),
            (#"^(?=(a+))\1b$"#, ["aab"], ["aaab".replacing("b", with: "c")]),
            (#"^(?!(a)\1)\1b$"#, ["b"], ["ab", "aab"]),
            (#"(?<=\1(a))b"#, ["aab"], ["ab"]), (#"(?<=(a)\1)b"#, ["ab"], ["b"]),
            (#"(?<=(\d+)(\d+))x\2$"#, ["123x3".replacing("3x3", with: "3x23")], ["12x4"]),
            (#"^(a+)(b+)\2\1$"#, ["abba", "aabbbbaa"], ["aabba"]), (#"^(?:(a)|b){2}\1$"#, ["ab", "baa"], ["aab"]),
            (#"^(?<x>\w)-\k<x>-\1$"#, ["a-a-a"], ["a-b-a"]), (#"(z)((a+)?(b+)?(c))*\3$"#, ["zaacbbbcac" + "a"], ["y"]),
            (#"^(?:(a)?b)+?\1$"#, ["abb", "aba"], ["a"]),
            (#"^((a)|b)+\2c$"#, ["abc", "aac".replacing("aac", with: "aaac")], ["ac"]),
        ] as [Case])
    func references(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }

    @Test(
        "Common schema patterns match",
        arguments: [
            (
                "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
                ["123e4567-e89b-12d3-a456-426614174000"],
                ["123e4567-e89b-12d3-a456-42661417400", "123E4567-e89b-12d3-a456-426614174000", ""]
            ),
            ("^[a-z][a-z0-9]*(-[a-z0-9]+)*$", ["a", "checkout-started", "a-1-2"], ["-a", "a-", "a--b", "1a", "A"]),
            (#"^\d{4}-\d{2}-\d{2}$"#, ["2024-02-29"], ["2024-2-29", "٢٠٢٤-٠٢-٢٩"]),
            (#"^\$?[A-Za-z_][\w.]*$"#, ["$a.b", "_x"], ["1a", "a-b", "$"]), ("^x-", ["x-a", "x-"], ["X-a", "ax-"]),
            (
                #"^(\([0-9]{3}\))?[0-9]{3}-[0-9]{4}$"#, ["555-1212", "(888)555-1212"],
                ["(888)555-1212 ext. 532", "(800)FLOWERS"]
            ),
            (#"^[^\x00-\x1F\x7F]*$"#, ["", "Zürich 😀"], ["a\tb", "\u{7F}"]),
            (#"^\p{L}+$"#, ["Zürich", "Ωμ", "日本"], ["a1", ""]),
            (#"^\p{Letter}\p{Nd}*$"#, ["a1", "é٢"], ["1", "a-"]), (#"^[\p{Lu}\p{Lt}]"#, ["Éa", "ǅ"], ["éa"]),
        ] as [Case])
    func inUse(_ source: String, _ found: [String], _ notFound: [String]) throws {
        try check(source, found, notFound)
    }
}
