import Testing

@testable import JSONSchema

@Suite("The matchers of patterns")
struct PatternAgreementTests {
    @Test("agree with each other on random patterns", arguments: 1...8)
    func agreement(_ seed: Int) throws {
        var random = RandomPattern(seed: UInt64(seed))
        var found = 0
        for _ in 0..<400 {
            let source = random.pattern()
            let matchers = try [Pattern.Matcher.table, .steps, .backtracking].map {
                try Pattern(source, matcher: $0)
            }
            for _ in 0..<4 {
                let text = random.text()
                let outcomes = matchers.map { $0.search(text, steps: 3_000_000) }
                #expect(Set(outcomes).count == 1, "\(source) in \(text.debugDescription): \(outcomes)")
                if outcomes[0] == .found { found += 1 }
            }
        }
        #expect(found > 200 && found < 1_500)
    }

    @Test("survive any text as a pattern", arguments: 1...4)
    func anything(_ seed: Int) throws {
        var random = RandomPattern(seed: UInt64(seed) &* 77)
        for _ in 0..<1_000 {
            let source = random.junk()
            do throws(PatternSyntaxError) {
                let pattern = try Pattern(source)
                #expect(pattern.search(random.text()) != .exhausted)
            } catch {
                #expect(error.offset >= 0 && error.offset <= source.utf8.count)
            }
        }
    }
}
