import CommandSupport
import Testing

@Suite("Similar messages")
struct RepeatedMessagesTests {
    /// The messages reported for all of these, and at the end.
    private func said(_ messages: some Sequence<String>, shown: Int = 2) -> [String] {
        var repeated = RepeatedMessages(shown: shown)
        let said = messages.filter { repeated.admits($0) }
        return said + repeated.takeRest()
    }

    @Test("are reported a few times, then counted, whatever numbers and ids they contain")
    func folded() {
        let issues = (1...7_428).map { "hour-15.jsonl.gz:\($0):1: 'actor.id' is missing" }
        #expect(said(issues) == [issues[0], issues[1], "… and 7,426 more like this"])
        let ids = ["3f1c-9a", "77aa-0b", "0c0c-ff"].map { "event \($0) was dropped" }
        #expect(said(ids, shown: 1) == [ids[0], "… and 2 more like this"])
    }

    @Test("are all reported if there are no more than that")
    func few() { #expect(said(["a 1", "a 2", "b"]) == ["a 1", "a 2", "b"]) }

    @Test("are counted by their text, and named if another message is in between")
    func kinds() {
        let messages = (1...5).flatMap { ["line \($0): no object", "line \($0): no number"] }
        #expect(
            said(messages, shown: 1) == [
                "line 1: no object", "line 1: no number", "… and 4 more like this: line 1: no object",
                "… and 4 more like this: line 1: no number",
            ])
    }

    @Test("are of 64 kinds at most, so that input cannot create more")
    func manyKinds() {
        let words = (0..<100).map { number in "unknown '\(String(repeating: "x", count: number + 1))'" }
        #expect(said(words) == words.prefix(64) + ["… and 36 more of other kinds"])
    }

    @Test("are new again after the rest was reported")
    func again() {
        var repeated = RepeatedMessages(shown: 1)
        for rest in [["… and 1 more like this"], ["… and 1 more like this"]] {
            let admitted = [repeated.admits("a"), repeated.admits("a")]
            #expect(admitted == [true, false])
            let told = repeated.takeRest()
            #expect(told == rest)
        }
        let nothing = repeated.takeRest()
        #expect(nothing == [])
    }
}
