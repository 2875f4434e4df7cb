import DoubledProtocols
import Testing
import TrackingTesting

@Suite("Doubles of members with keywords as names")
struct WordTests {
    private let words = WordsDouble()

    @Test("record arguments named only by a label")
    func labels() {
        words.image.answers { $0.count }
        #expect(words.image(for: "abc") == 3)
        words.move(in: 1, where: "here", default: true)
        words.move.expectOnce(where: { $0.in == 1 && $0.where == "here" && $0.default })
        words.fill.answers((result: 1, repeat: 2))
        var number = 0
        #expect(words.fill(repeat: &number) == 1)
        #expect(number == 2)
        var seen = 0
        words.each.answers { $0.closure(4) }
        words.each { seen = $0 }
        #expect(seen == 4)
        words.wait(5)
        #expect(words.wait.calls == [5])
    }

    @Test("rename parameters called `self` by their position")
    func selves() {
        words.find.answers { $0 + 1 }
        #expect(words.find(1) == 2)
        words.pair(self: 1, init: 2)
        #expect(words.pair.calls.map(\.argument1) == [1])
        #expect(words.pair.calls[0].`init` == 2)
    }

    @Test("support keywords as arguments of subscripts and initializers")
    func subscripts() {
        words.subscriptInGetter.answers { $0 * 2 }
        #expect(words[4] == 8)
        words.subscriptAsIsGetter.answers(0)
        words[1, 2] = 3
        words.subscriptAsIsSetter.expectOnce(where: { $0.as == 1 && $0.is == 2 && $0.newValue == 3 })
        words.subscriptArgument1OtherGetter.answers { "\($0.argument1) \($0.other)" }
        #expect(words[1, 2] == "1 2")
        TestDouble.withOwnStatics {
            _ = WordsDouble(switch: 7)
            #expect(WordsDouble.initializer.calls == [7])
        }
    }

    @Test("support parameters that shadow names in the double's code")
    func hiding() throws {
        TestDouble.withOwnStatics {
            _ = HidingDouble(type: 1)
            _ = HidingDouble(testDouble: "a")
            HidingDouble.initializerTypeTestDouble.answers(false)
            #expect(HidingDouble(type: 2, testDouble: "b") == nil)
            #expect(HidingDouble.initializerType.calls == [1])
            #expect(HidingDouble.initializerTestDouble.calls == ["a"])
        }
        let double = HidingDouble()
        var (result, doubled, other) = (1, 2, 3)
        double.fillResult.answers((resultOfCall: 7, result: 8))
        #expect(double.fill(result: &result) == 7 && result == 8)
        double.fillDoubledResultResultOfCall.answers((resultOfCallOfCall: 1, doubled: 4, result: 5, resultOfCall: 6))
        #expect(try double.fill(doubled: &doubled, result: &result, resultOfCall: &other) == 1)
        #expect((doubled, result, other) == (4, 5, 6))
        double.clear(&result)
        #expect(result == 5)
    }

    @Test("are named after a protocol without its backticks")
    func protocols() {
        let double = ProtocolDouble()
        double.run()
        double.runMethod.expectOnce()
    }
}
