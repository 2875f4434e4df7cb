import Testing

@testable import CollectorStore

@Suite("Turns and shares of sources")
struct TurnsTests {
    private func turns(_ texts: [String]) -> Turns<String> {
        let turns = Turns<String>()
        for text in texts { turns.append(text, of: String(text.prefix(1))) }
        return turns
    }

    private func order(_ turns: Turns<String>) -> [String] {
        var found: [String] = []
        while let next = turns.popFirst() { found.append(next) }
        return found
    }

    @Test("Each source has one element in turn, its oldest")
    func inTurn() {
        #expect(order(turns(["a1", "a2", "a3", "b1", "c1", "b2"])) == ["a1", "b1", "c1", "a2", "b2", "a3"])
        let some = turns(["a1", "a2", "b1"])
        #expect(some.popFirst() == "a1")
        some.append("c1", of: "c")
        #expect(order(some) == ["b1", "c1", "a2"])
        let one = turns(["a1"])
        #expect(one.popFirst() == "a1" && one.isEmpty && one.next() == nil && one.popFirst() == nil)
        one.append("a2", of: "a")
        #expect(!one.isEmpty && one.popFirst() == "a2")
        one.append("a3", of: "a")
        one.append("b1", of: "b")
        #expect(one.sourceCount == 2 && order(one) == ["b1", "a3"])
    }

    @Test("A postponed source has its turn after all others; prepended elements have the next turns")
    func changed() {
        let some = turns(["a1", "a2", "b1", "c1"])
        some.postpone()
        #expect(some.next()?.element == "b1" && some.sourceCount == 3)
        some.prepend(["d1", "c0", "d2"]) { String($0.prefix(1)) }
        #expect(order(some) == ["d1", "c0", "b1", "a1", "d2", "c1", "a2"])
    }

    @Test("A source may use as much as it leaves unused")
    func shares() {
        var shares = Shares(maximum: 12)
        let added = ["a", "b", "c"].map { source in (0..<20).count { _ in shares.add(1, of: source) } }
        #expect(added == [6, 3, 1] && shares.total == 10)
        #expect(shares.add(2, of: nil) && !shares.add(1, of: nil))
        shares.remove(6, of: "a")
        #expect(shares.add(2, of: "c") && !shares.add(2, of: "c"))
        shares.force(20, of: "c")
        #expect(shares.total == 28 && !shares.add(0, of: "b"))
    }
}
