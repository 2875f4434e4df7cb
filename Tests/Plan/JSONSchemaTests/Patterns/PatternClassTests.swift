import Testing

@testable import JSONSchema

@Suite("Character classes")
struct PatternClassTests {
    @Test(
        "Classes contain the characters that ECMA-262 defines",
        arguments: [
            (".", "aé😀 \t\u{85}\u{0}\u{B}", "\n\r\u{2028}\u{2029}"), (#"\d"#, "0123456789", "a٣²-"),
            (#"\D"#, "a٣²-\n", "0189"), (#"\w"#, "azAZ09_", "é-ſ\u{212A} "), (#"\W"#, "é-ſ\u{212A} \n", "azAZ09_"),
            (
                #"\s"#,
                "\t\n\u{B}\u{C}\r \u{A0}\u{FEFF}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}",
                "a\u{180E}\u{200B}\u{85}\u{1C}"
            ),
            (#"\S"#, "a\u{180E}\u{200B}\u{85}", " \u{FEFF}\u{3000}"), ("[]", "", "a\n😀"), ("[^]", "a\n😀\u{2028}", ""),
            ("[abc]", "abc", "dA😀"), ("[^abc]", "dA😀\n", "abc"), ("[a-cx-z]", "abcxyz", "dw-"), ("[a-]", "a-", "b"),
            ("[-a]", "-a", "b"), ("[+--]", "+,-", ".*"), ("[a-c-e]", "abc-e", "d"), (#"[\d-]"#, "0-", "a"),
            (#"[\b]"#, "\u{8}", "b"),
            (#"[\-\]\\^]"#, "-]\\^", "a["), ("[.*+?(){}|$]", ".*+?(){}|$", "a\\"), ("[é-ü]", "éêü", "eèý"),
            ("[😀-😎]", "😀😎", "😏a"), ("[^😀-😎]", "😏aé", "😀😎"), (#"[\w\s]"#, "a_ \n", "-é"), (#"[^\w\s]"#, "-é", "a_ \n"),
            (#"[^\W]"#, "a1_", "-é"), (#"[\D\d]"#, "a1\n😀", ""), (#"[\u{7f}-\u{80}]"#, "\u{7F}\u{80}", "~\u{81}"),
            (#"[\u07ff-\u0800]"#, "\u{7FF}\u{800}", "\u{7FE}\u{801}"),
            (#"[\uffff-\u{10000}]"#, "\u{FFFF}\u{10000}", "\u{FFFE}\u{10001}"),
            (#"[\ud7ff-\ue000]"#, "\u{D7FF}\u{E000}", "\u{D7FE}\u{E001}"), (#"\uD83D"#, "", "\u{1F600}a"),
            (#"[^\uD83D]"#, "\u{1F600}a", ""),
            (#"\u{10FFFF}"#, "\u{10FFFF}", "\u{10FFFE}"), (#"\x41"#, "A", "a"), (#"\u0041"#, "A", "a"),
            (#"\u{1F432}"#, "🐲", "😀"),
            (#"\uD83D\uDC32"#, "🐲", "😀"), (#"[\uD83D\uDC32]"#, "🐲", "😀"), (#"\0"#, "\0", "0"), (#"\cJ"#, "\n", "J"),
            (#"\cj"#, "\n", "j"),
            (#"\t"#, "\t", "t"), (#"\v"#, "\u{B}", "v"), (#"\f"#, "\u{C}", "f"), (#"\r"#, "\r", "\n"),
            (#"\/"#, "/", "\\"),
            (#"\p{L}"#, "aéΩ日ª", "1-😀"), (#"\P{L}"#, "1-😀", "aéΩ日"), (#"[^\p{L}]"#, "1-😀", "aéΩ日"),
            (#"\p{Lu}"#, "AÉ", "aé1"),
            (#"\p{Nd}"#, "0٣", "²Ⅷ"), (#"\p{N}"#, "0٣²Ⅷ", "a"), (#"\p{P}"#, "-!«", "+a"), (#"\p{S}"#, "+€😀", "-a"),
            (#"\p{Z}"#, " \u{2028}", "\n"),
            (#"\p{Cc}"#, "\n\u{85}", "a"), (#"\p{Cn}"#, "\u{378}\u{FFFF}\u{10FFFF}", "a\u{E000}"),
            (#"\p{Co}"#, "\u{E000}\u{F0000}\u{10FFFD}", "a\u{FFFFE}"),
            (#"\p{Script=Greek}"#, "Ωα", "aд"), (#"\p{sc=Cyrl}"#, "д", "aα"), (#"\p{sc=Latin}"#, "aéª", "1α"),
            (#"\p{sc=Han}"#, "日", "ひ"),
            (#"\p{sc=Hira}"#, "ひ", "カー"), (#"\p{scx=Hira}"#, "ひー", "カ"), (#"\p{sc=Arabic}"#, "ع", "א،"),
            (#"\p{scx=Arabic}"#, "ع،", "א"),
            (#"\p{sc=Zzzz}"#, "\u{378}", "a"), (#"\p{ASCII}"#, "\0a\u{7F}", "é"), (#"\p{Any}"#, "a😀\n", ""),
            (#"\P{Any}"#, "", "a😀"),
            (#"\p{Alphabetic}"#, "aΩⅧ", "1-"), (#"\p{Emoji}"#, "😀1#", "a"), (#"\p{Emoji_Presentation}"#, "😀", "1a"),
            (#"\p{ExtPict}"#, "😀©", "1a"), (#"\p{RI}"#, "\u{1F1E6}", "A"),
            (#"\p{White_Space}"#, " \u{85}", "\u{FEFF}a"),
            (#"\p{Lowercase}"#, "aªé", "A1"), (#"\p{NChar}"#, "\u{FFFE}\u{10FFFF}", "a"),
            (#"\p{Default_Ignorable_Code_Point}"#, "\u{200B}\u{E0FFF}", "a"),
        ] as [(String, String, String)])
    func members(_ source: String, _ members: String, _ others: String) throws {
        let patterns = try Pattern.forEachMatcher("^(?:\(source))+$")
        for (characters, expected) in [(members, PatternOutcome.found), (others, .notFound)] {
            for scalar in characters.unicodeScalars {
                for text in ["\(scalar)", "\(scalar)\(scalar)"] {
                    let code = String(scalar.value, radix: 16)
                    #expect(patterns.search(text) == expected, "\(source) in U+\(code)")
                }
            }
        }
    }

    @Test(
        "A class and its inverse cover all code points",
        arguments: ["L", "Alphabetic", "sc=Latin", "gc=C", "Emoji", "ASCII"])
    func covering(_ property: String) throws {
        let parts = property.split(separator: "=").map(String.init)
        let set = try #require(ScalarProperty.set(parts[0], value: parts.count > 1 ? parts[1] : nil))
        #expect(ScalarSet(set.ranges + set.inverted.ranges).ranges == [0...0x10FFFF])
        #expect(set.inverted.inverted == set)
    }

    @Test("Every name with a set is known")
    func names() {
        let names = ["L", "Letter", "Any", "Assigned", "RI", "EComp", "NChar", "ExtPict", "Alpha", "Latin", "", "l"]
        for name in names {
            for value in [nil, "L", "Latin", "Zzzz", "ExtPict", "Any", ""] {
                for property in [name, "gc", "sc", "scx"] where value != nil || property == name {
                    #expect(
                        ScalarProperty.exists(property, value: value)
                            == (ScalarProperty.set(property, value: value) != nil), "\(property) \(value ?? "")")
                }
            }
        }
    }

    @Test("Code points are in their general category")
    func categories() throws {
        let parts = try ["L", "M", "N", "P", "S", "Z", "C"].map { try #require(ScalarProperty.set($0, value: nil)) }
        #expect(parts.flatMap(\.ranges).reduce(0) { $0 + $1.count } == 0x110000)
        let unassigned = try #require(ScalarProperty.set("Cn", value: nil))
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 97) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(unassigned.contains(value) == (scalar.properties.generalCategory == .unassigned))
        }
    }

    @Test("Every code point has exactly one script")
    func scripts() {
        var names: Set<String> = []
        var count = 0
        for record in ScriptRanges.records.split(separator: ";") {
            let name = String(record.prefix { $0 != "|" && $0 != " " })
            #expect(names.insert(name).inserted)
            let set = ScriptProperty.set(name, extensions: false)
            if name != ScriptProperty.pictographs.long { count += set?.ranges.reduce(0) { $0 + $1.count } ?? 0 }
        }
        #expect(names.count == 176)
        #expect(count == 0x110000)
    }
}
