import Testing

@testable import JSONSchema

@Suite("Pattern limits")
struct PatternLimitsTests {
    private static func nested(_ open: String, _ inside: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + inside + String(repeating: close, count: count)
    }

    @Test(
        "Patterns that are too large are rejected",
        arguments: [
            "a{0,100000}", "a{100000}", "(?:a{1000}){1000}", "(?:(?:(?:a{1000}){1000}){1000}){1000}", "(a{0,300}){300}",
            "(?:(?:(?:(?:)|(?:)){9999}b?){9999}){9999}", "a{9999999999999}",
            #"(?:\1()){99999}"#, "(?:(?=a)b?){99999}", String(repeating: "a", count: 60_000),
        ])
    func tooLarge(_ source: String) {
        let error = #expect(throws: PatternSyntaxError.self) { try Pattern(source) }
        #expect(error == PatternSyntaxError(offset: source.utf8.count, reason: "pattern too large"))
    }

    @Test("Rejecting a large pattern needs little memory")
    func largeWork() {
        let source = String(repeating: "(?:", count: 249) + "a" + String(repeating: "b?){40000}", count: 249)
        #expect(throws: PatternSyntaxError(offset: source.utf8.count, reason: "pattern too large")) {
            try Pattern(source)
        }
    }

    @Test(
        "Empty matches may be repeated any number of times",
        arguments: [
            "(?:){100000}", "(?:(?:(?:){100000}){100000}){100000}", "(?:^){100000}a", "(?:(?:^){0}){99999}a",
            "(?:(?:(?:|){100000}){100000}){100000}",
        ])
    func nothing(_ source: String) throws {
        #expect(try Pattern(source).search("a") == .found)
    }

    @Test("Deeply nested groups are rejected")
    func depth() throws {
        #expect(throws: PatternSyntaxError(offset: 250, reason: "groups are nested too deeply")) {
            try Pattern(String(repeating: "(", count: 1_000_000))
        }
        #expect(throws: PatternSyntaxError.self) { try Pattern(Self.nested("(", "a", ")", 251)) }
        #expect(throws: PatternSyntaxError.self) { try Pattern(Self.nested("(?=", "a", ")", 251)) }
        _ = try Pattern(Self.nested("(", "a", ")", 250))
    }

    @Test(
        "The deepest allowed nesting fits a small stack",
        arguments: [
            ("(x|yz*", "a", "b)*", 250, PatternOutcome.found), ("(?:(", "a", "*)+)", 124, .found),
            ("(?:a|(?=b", "c", ")c)+?", 124, .found), ("(?<=a(", #"\1"#, "){2}b)", 124, nil),
        ])
    func stack(
        _ open: String, _ inside: String, _ close: String, _ count: Int, _ expected: PatternOutcome?
    ) {
        let source = Self.nested(open, inside, close, count)
        // "Too large" is also correct. What matters is that the thread continues, with the same result as on a large
        // stack.
        let outcome = OnThread.run(stackSize: 256 << 10) { try? Pattern(source).search("xyzabab") }
        #expect(outcome == .some(expected))
    }

    @Test(
        "Patterns without lookaround and backreferences take linear time",
        arguments: [
            "(a+)+$", "^(a+)+$", "(a*)*$", "(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*b", "(.*a){12}",
            "(a?){30}a{30}$", "(x+x+)+y", "(a|b)*a(a|b){14}c",
        ])
    func linear(_ source: String) throws {
        let text = String(repeating: "a", count: 5_000) + "!"
        for matcher in [Pattern.Matcher.table, .steps] {
            let expected: PatternOutcome = ["(.*a){12}", "(a*)*$", "(a|a)*$"].contains(source) ? .found : .notFound
            #expect(try Pattern(source, matcher: matcher).search(text, steps: 20_000_000) == expected)
        }
    }

    @Test(
        "A search ends when its steps run out",
        arguments: [
            ("(?=(a+)+b)c", PatternOutcome.exhausted), (#"(a*)*\1b"#, .exhausted), (#"^(?:(a+)+\1)+$"#, .notFound),
            ("(?<=b(a+)+)c", .exhausted), (#"(?!(a|a)*b)\b"#, .exhausted),
        ])
    func exhausted(_ source: String, _ expected: PatternOutcome) throws {
        let text = String(repeating: "a", count: 60) + "!"
        #expect(try Pattern(source).search("!" + text, steps: 1_000_000) == expected)
        #expect(try Pattern(source).search(text, steps: 100_000) == .exhausted)
        #expect(try Pattern(source).search(text, steps: 0) == .exhausted)
    }

    @Test("A step simulation ends when its steps run out")
    func exhaustedSimulation() throws {
        let pattern = try Pattern("(a|b)*a(a|b){14}c", matcher: .steps)
        #expect(pattern.search(String(repeating: "ab", count: 500), steps: 1_000) == .exhausted)
    }

    @Test("A table with too many classes is not built")
    func classes() {
        // Set n holds the characters whose distance from U+10000 has bit n, so each has a separate class.
        let sets = (0..<17).map { bit in
            ScalarSet(
                stride(from: UInt32(1) << bit, to: 65_538, by: 2 << bit).map { start in
                    0x10000 + start...0xFFFF + min(start + 1 << bit, 65_538)
                })
        }
        let program = PatternProgram(
            instructions: [.match], sets: sets, registerCount: 0, isAnchored: false, needsBacktracking: false,
            usesWords: false)
        #expect(ScalarClasses(program) == nil)
        #expect(StateTableBuilder.table(program) == nil)
    }

    @Test("The memory of a search is bounded", arguments: [#"(a|b)*\1c"#, "(?=(?:a|b)*c)", #"(?:(a)|b)*\1c"#])
    func memory(_ source: String) throws {
        let text = String(repeating: "ab", count: 500_000)
        #expect(try Pattern(source).search(text, steps: 1_000_000_000) == .exhausted)
    }

    @Test("A table is used if it fits")
    func choice() throws {
        #expect(try Pattern("^[a-z]+(-[a-z]+)*$").matcher == .table)
        #expect(try Pattern(#"\bfoo\b"#).matcher == .table)
        #expect(try Pattern(#"^\p{L}{1,100}$"#).matcher == .table)
        #expect(try Pattern("(a|b)*a(a|b){14}c").matcher == .steps)
        #expect(try Pattern("^.{0,5000}$").matcher == .steps)
        #expect(try Pattern("(?=a)").matcher == .backtracking)
        #expect(try Pattern(#"(a)\1"#).matcher == .backtracking)
        let letters = (0..<600).map { String(Character(Unicode.Scalar(UInt16(0x4E00 + $0)) ?? "?")) }.joined()
        let manyLetters = try Pattern(letters)
        #expect(manyLetters.matcher == .steps)
        #expect(manyLetters.search("x" + letters) == .found)
        #expect(manyLetters.search(String(letters.dropLast())) == .notFound)
    }
}
