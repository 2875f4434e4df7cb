import DoubledProtocols
import Foundation
import Testing
import TrackingTesting

@Suite("Doubles of methods")
struct MethodTests {
    private let session = FeedSessionDouble()

    @Test("record arguments, and return values in order, repeating the last")
    func values() async throws {
        session.items.answers(["a"], ["b"])
        #expect(try await session.items(of: "x", limit: 1) == ["a"])
        #expect(try await session.items(of: "y", limit: 2) == ["b"])
        #expect(try await session.items(of: "z", limit: 3) == ["b"])
        #expect(session.items.calls.map(\.feed) == ["x", "y", "z"])
        #expect(session.items.calls.map(\.limit) == [1, 2, 3])
        #expect(session.testDouble.calls == ["items(of:limit:)", "items(of:limit:)", "items(of:limit:)"])
    }

    @Test("answer with closures, including async ones, and with errors")
    func closures() async throws {
        session.title.answers { feed in
            await Task.yield()
            return feed.uppercased()
        }
        #expect(await session.title(of: "news") == "NEWS")
        session.items.fails(with: FeedError.gone).thenAnswers(["back"])
        await #expect(throws: FeedError.gone) { try await session.items(of: "x", limit: 1) }
        #expect(try await session.items(of: "x", limit: 1) == ["back"])
        session.size.answers(1).thenFails(with: .gone)
        #expect(try session.size("a") == 1)
        #expect(throws: FeedError.gone) { try session.size("a") }
    }

    @Test("answer by conditions on the arguments: the latest condition first, unconditional answers last")
    func conditions() throws {
        session.size.answers(0)
        session.size.answers(1, where: { $0.hasPrefix("a") })
        session.size.answers(where: { $0.hasPrefix("ab") }) { $0.count }
        session.size.fails(with: .gone, where: { $0 == "abandoned" })
        #expect(try ["b", "a", "abc"].map { try session.size($0) } == [0, 1, 3])
        #expect(throws: FeedError.gone) { try session.size("abandoned") }
        session.size.expectCount(3, where: { $0.hasPrefix("a") })
    }

    @Test("support unnamed, variadic, autoclosure and inout parameters, and implicitly unwrapped results")
    func parameters() throws {
        session.open.answers(true)
        session.open("a", at: 2)
        let opened = try session.open.requireOnce()
        #expect(opened == (argument1: "a", argument2: 2))
        session.log("a", "b", level: 3)
        #expect(session.log.calls[0].parts == ["a", "b"])
        session.note("text")
        #expect(session.note.calls == ["text"])
        session.fill.answers { buffer in (result: buffer.count, buffer: buffer + [9]) }
        var buffer: [UInt8] = [1, 2]
        #expect(session.fill(&buffer) == 2)
        #expect(buffer == [1, 2, 9])
        var (text, count) = (" a ", 3)
        session.trim(&text, &count)
        #expect(text == " a " && count == 3)
        session.trim.answers((text: "a", count: 1))
        session.trim(&text, &count)
        #expect(text == "a" && count == 1)
        session.date.answers(nil)
        #expect(session.date(of: "a", in: nil) == nil)
    }

    @Test("record closures, which the test can call")
    func escapingClosures() {
        session.watch("news") { #expect($0 == "changed") }
        session.watch.calls[0].change("changed")
        #expect(session.watch.calls.count == 1)
    }

    @Test("pass non-escaping closures to the answer")
    func nonescapingClosures() async throws {
        let database = DatabaseDouble()
        var rows: [String] = []
        database.write.answers { updates in
            try updates.closure("one")
            try updates.closure("two")
        }
        try database.write { rows.append($0) }
        #expect(rows == ["one", "two"])
        #expect(throws: FeedError.gone) { try database.write { _ in throw FeedError.gone } }
        database.count.answers { call in (1...10).filter { call.matches.closure($0) }.prefix(call.limit).count }
        #expect(await database.count(where: { $0 > 5 }, limit: 3) == 3)
        database.compare.answers { $0.one.closure(1) == $0.other.closure(2) }
        #expect(database.compare({ $0 + 1 }, with: { $0 }))
        var seen = 0
        database.each.answers { try? $0.closure(4) }
        database.each { seen += $0 }
        #expect(seen == 4)
        database.later(nil)
        database.later.expectOnce(where: { $0 == nil })
    }

    @Test("pass closures that throw the member's error type")
    func typedClosures() async throws {
        let database = DatabaseDouble()
        database.visit.answers { row throws(FeedError) in try row.closure(1) }
        #expect(throws: FeedError.gone) { try database.visit { _ throws(FeedError) in throw .gone } }
        database.merge.answers { call throws(FeedError) in try call.one.closure(1) + call.other.closure(2) }
        #expect(try await database.merge({ $0 }, with: { $0 * 10 }) == 21)
    }

    @Test("change inout closures")
    func inoutClosures() {
        let database = DatabaseDouble()
        var work: (Int) -> Int = { $0 }
        database.wrap(&work)
        #expect(work(1) == 1)
        database.wrap.answers { before in { before($0) + 1 } }
        database.wrap(&work)
        #expect(work(1) == 2)
    }

    @Test("distinguish overloads")
    func overloads() async throws {
        let preferences = PreferencesDouble()
        preferences.set(1, forKey: "a")
        preferences.set("b", forKey: "b")
        preferences.set(true, for: 3)
        #expect(preferences.setValueIntForKeyString.calls.map(\.value) == [1])
        #expect(preferences.setValueStringForKeyString.calls.map(\.value) == ["b"])
        preferences.setValueFor.expectOnce(where: { $0.user == 3 })
        preferences.valueMethodReturningInt.answers(1)
        preferences.valueMethodReturningString.answers("one")
        let number: Int = preferences.value()
        let text: String = await preferences.value()
        #expect(number == 1 && text == "one")
        preferences.reload()
        preferences.reload(after: 5)
        preferences.reloadMethod.expectOnce()
        #expect(preferences.reloadAfter.calls == [5])
        preferences.nameGetter.answers("property")
        preferences.nameOf.answers("method")
        preferences.default.answers(7)
        #expect((preferences.name, preferences.name(of: 1)) == ("property", "method"))
        #expect(preferences.default(1) == 7)
    }

    @Test("record concurrent calls from many tasks")
    func concurrency() async throws {
        session.title.answers { $0 }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { [session] in _ = await session.title(of: "\(number)") } }
        }
        #expect(Set(session.title.calls).count == 1000)
        #expect(session.testDouble.calls.count == 1000)
    }
}
