import Testing
import TrackingCore

@testable import JSONSchema
@testable import PlanCodegen

@Suite("State tables of patterns")
struct StateTableTests {
    private static let texts = [
        "", "a", "b", "ab", "aab", "abab", "abc", "a-b", "a-", "-a", "a--b", "aa", "aaa", "aaaa", "aaaaa", "A1", "1",
        "12", "123",
        "a b", "a\nb", "a\rb", "a\u{2028}b", "a\u{2027}b", "a\u{202A}b", "é", "aéb", "日本", "🌊", "a🌊b", "\u{7F}",
        "\u{0}", "a.b", "a/b",
        "\u{E8}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{1F30B}", "\u{1F310}", "\u{10FFFF}", "a é", "日é",
        "a\\b", "x_9", "[]", "a]", "$", "^", "{", "tab\t",
    ]

    @Test(
        "Tables agree with the validator on every text",
        arguments: [
            "^$", "^a$", "^ab?$", "^a*b$", "^(ab)+$", "^[a-z]+(-[a-z]+)*$", "^(a|b)*$", "^(?:a|ab)(?:c|b)?$", "^a{2}$",
            "^a{2,}$",
            "^a{2,4}$", "^a{0,2}$", "^(a{1,2}){2}$", "^\\d+$", "^\\w+$", "^[\\w.-]+$", "^a.b$", "^.*$", "^.{1,2}$",
            "^[^ab]+$", "^[^-]*$",
            "^a[^/]b$", "^é$", "^(é|日本|🌊)$", "^a\\.b$", "^a\\/b$", "^a\\\\b$", "^[\\]\\[]+$", "^\\$$", "^\\^$", "^\\{$",
            "^tab\\t$",
            "^(a*)*$", "^(a*b*)*$", "^(a?){5}$", "^(|a)$", "^a+?$", "^[A-Za-z][0-9]$", "^[a-]+$",
            // Patterns with an open side, word boundaries, and non-ASCII sets that split characters of one length.
            "", "a", "^a", "b$", "^a|b$", "a.b", "a^", "\\bb", "^a\\b", "\\Bb$", "\\s", "^\\S+$", "[é日]", "^[^é]+$",
            "^[\u{E9}-\u{65E5}]$", "^[日-\u{10FFFF}]$", "^[\\u2027-\\u202A]|a$", "^\\u{1F30A}$",
            "^[^\\u{1F30B}-\\u{1F30F}]$", "^[\u{800}-\u{FFFF}]$", "^a\\\\$",
        ])
    func agreement(source: String) throws {
        try Self.compare(source, Self.texts)
    }

    @Test(
        "Tables agree with the validator on characters of every length",
        arguments: [
            "^\\p{Lu}$", "^\\P{Script=Greek}$", "^[\u{E9}-\u{65E5}]$", "^[^\\u{1F30B}-\\u{1F30F}]$", "^\\W$", "^.$",
            "\\b", "[\u{7FF}\u{800}\u{FFFF}\u{10000}]",
        ])
    func characters(source: String) throws {
        // 63 and 64 have no common factor, so every last byte occurs with many others before it.
        let scalars = stride(from: UInt32(0), through: 0x10FFFF, by: 63).compactMap(Unicode.Scalar.init)
        try Self.compare(source, scalars.map(String.init) + ["\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}"])
    }

    private static func compare(_ source: String, _ texts: [String]) throws {
        let table = try StateTable(source)
        let pattern = TextPattern(
            source, columns: table.columns, start: Int(table.start), firstAccepting: Int(table.firstAccepting),
            next: table.next)
        let validator = try Pattern(source)
        var differing: [String] = []
        for text in texts {
            var text = text
            var steps = 100_000
            let isFound = text.withUTF8 { validator.search($0, steps: &steps) } == .found
            let isTaken = (try? EventLimits.pattern(text, pattern, "it")) != nil
            if isTaken != isFound { differing.append(text) }
        }
        #expect(differing == [])
    }

    @Test("Tables of a wrong size match nothing")
    func sizes() {
        for next in [[], [0], [0, 0, 9, 9]] as [[UInt8]] {
            let pattern = TextPattern("^a$", columns: [97], start: 1, firstAccepting: 0, next: next)
            #expect(throws: TrackingEventError.self) { try EventLimits.pattern("a", pattern, "it") }
        }
    }
}
