import Testing

@testable import JSONSchema

@Suite("Pattern matchers")
struct PatternAgreementTests {
    @Test("Matchers agree on random patterns", arguments: 1...4)
    func agreement(_ seed: Int) throws {
        var random = RandomPattern(seed: UInt64(seed))
        var found = 0
        for _ in 0..<200 {
            let source = random.pattern()
            let patterns = try Pattern.forEachMatcher(source)
            for _ in 0..<4 {
                let text = random.text()
                let outcome = patterns.search(text)
                #expect(outcome == .found || outcome == .notFound, "\(source) in \(text.debugDescription)")
                if outcome == .found { found += 1 }
            }
        }
        #expect(found > 100 && found < 750)
    }

    @Test("Any text can be parsed as a pattern without a crash", arguments: 1...4)
    func anything(_ seed: Int) throws {
        var random = RandomPattern(seed: UInt64(seed) &* 77)
        for _ in 0..<250 {
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
