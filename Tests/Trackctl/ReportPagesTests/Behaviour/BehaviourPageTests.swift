import Foundation
import ReportPages
import Testing

@Suite("The page of behaviour")
struct BehaviourPageTests {
    @Test("shows the test names, by suite, in the order of the sources, with their results")
    func page() throws {
        let page = try RecordedRun.page(RecordedRun.lines(RecordedRun.version0))
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/shop.md")
        // GOLDEN=record rewrites it; review the difference before it is committed.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "record" { try Data(page.utf8).write(to: golden) }
        let expected = try String(contentsOf: golden, encoding: .utf8)
        #expect(
            page.split(separator: "\n", omittingEmptySubsequences: false)
                == expected.split(separator: "\n", omittingEmptySubsequences: false))
    }

    @Test("does not depend on the order in which a run writes")
    func order() throws {
        let lines = try RecordedRun.lines(RecordedRun.version0)
        let page = try RecordedRun.page(lines)
        for seed in 1...5 as ClosedRange<UInt64> {
            var generator = Shuffler(state: seed)
            #expect(try RecordedRun.page(lines.shuffled(using: &generator)) == page)
        }
    }

    @Test("is the same for the newer version of the stream, except for what that omits")
    func newerVersion() throws {
        let old = try RecordedRun.page(RecordedRun.lines(RecordedRun.version0), showsCases: false)
        let new = try RecordedRun.page(RecordedRun.lines(RecordedRun.version6))
        #expect(old.contains("**skipped**: "))
        #expect(new == old.replacing(/\*\*skipped\*\*: .*/, with: "**skipped**"))
    }

    @Test("marks a test that did not end, and a suite whose setup failed")
    func marks() throws {
        let free = "ShopTests.free()/BasketTests.swift"
        let lines = try RecordedRun.lines(RecordedRun.version0)
        let cut = lines.filter { !($0.contains(#""testEnded""#) && $0.contains(free)) }
        #expect(cut.count == lines.count - 1)
        let failure = """
            {"kind":"event","payload":{"issue":{"isKnown":false},"kind":"issueRecorded",\
            "testID":"ShopTests.BasketTests/Totals/Euro"},"version":0}
            """
        let page = try RecordedRun.page(cut + [failure])
        let whole = try RecordedRun.page(lines)
        #expect(
            page
                == whole.replacing("- a free test\n", with: "- a free test — **not run**\n")
                .replacing("##### In euro\n", with: "##### In euro — **fails**\n"))
        #expect(page != whole)
    }

    @Test("says that every test has passed only if that is true")
    func claim() throws {
        let lines = try RecordedRun.lines(RecordedRun.version0)
        let marked = "Each sentence is the name of a test. The test passed unless marked otherwise."
        #expect(try RecordedRun.page(lines).contains(marked))
        let passed = try RecordedRun.page(lines, filters: ["OtherTests"])
        #expect(
            passed == """
                <!-- Written by `trackctl behaviour`: edits are overwritten. -->

                # What the shop does

                Each sentence is the name of a test that passed.

                ## Other

                - another target's test

                """)
    }

    @Test("shows a part: a target, a suite, a nested suite, or several")
    func filters() throws {
        let lines = try RecordedRun.lines(RecordedRun.version0)
        func titles(_ filters: String...) throws -> [String] {
            try RecordedRun.page(lines, filters: filters).split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("#") || $0.contains("**When**") }
        }
        let title = "# What the shop does"
        #expect(
            try titles("ShopTests.BasketTests/Empty/Added") == [
                title, "## The basket", "  - **When** an item is added",
            ])
        #expect(try titles("ShopTests.BasketTests/Totals/Euro").prefix(3) == [title, "## The basket", "### Totals"])
        #expect(
            try titles("ShopTests.Off", "OtherTests") == [
                title, "## OtherTests", "### Other", "## ShopTests", "### Off — **skipped**: the whole suite",
            ])
        #expect(try RecordedRun.read(lines).targets(within: ["ShopTests.Bask", "Shop", "ShopTests.Off/two()"]).isEmpty)
    }
}

/// Numbers that follow from a seed (xorshift64).
private struct Shuffler: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
