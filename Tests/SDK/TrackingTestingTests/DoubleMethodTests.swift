import Foundation
import Primitives
import Testing
import TrackingTesting

/// A double as generated.
private final class StoreDouble: Sendable {
    let testDouble: TestDouble

    init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column)
    {
        testDouble = TestDouble("StoreDouble", fileID: fileID, filePath: filePath, line: line, column: column)
    }

    var load: AsyncDoubleMethod<(id: Int, name: String), [String], any Error> { testDouble.method("load(_:named:)") }
    func load(_ id: Int, named name: String) async throws -> [String] { try await self.load.call((id, name)) }

    var size: DoubleMethod<String, Int, any Error> { testDouble.method("size(of:)") }
    func size(of name: String) throws -> Int { try self.size.call(name) }

    var erase: DoubleMethod<Int, Void, any Error> { testDouble.method("erase(_:)") }
    func erase(_ id: Int) throws { try self.erase.call(id) }

    var count: DoubleMethod<Void, Int, Never> { testDouble.method("count()") }

    var decode: DoubleMethod<String, Any, any Error> { testDouble.method("decode(_:)") }
    func decode<Value>(_ text: String) throws -> Value { try self.decode.call(text, as: Value.self) }
}

@Suite("Doubles")
struct DoubleMethodTests {
    private struct Broken: Error {}

    @Test("report and throw a call without an answer, with its arguments and advice, at the line that made the double")
    func unanswered() async throws {
        let line: UInt = #line + 1
        let store = StoreDouble()
        let reported = Locked<[String]>([])
        await withKnownIssue {
            let failure = await #expect(throws: DoubleFailure.self) { try await store.load(7, named: "a") }
            #expect(failure?.code == .unanswered)
            #expect(failure?.location?.line == line)
            #expect(failure?.location.map { "\($0.fileID)" } == #fileID)
            #expect(
                failure?.description == """
                    \(#fileID):\(line): StoreDouble.load(_:named:) was called with (id: 7, name: "a") but has no answer: \
                    set one before the call, with `load.answers(…)`, or `load.fails(with: …)`
                    """)
        } matching: { issue in
            reported.withLock { $0.append("\(issue.sourceLocation?.line ?? 0)") }
            return true
        }
        #expect(reported.withLock { $0 } == ["\(line)"])
        store.load.expectOnce(where: { $0.id == 7 })
    }

    @Test("need no answer for calls that return Void, but can fail them")
    func nothing() throws {
        let store = StoreDouble()
        try store.erase(1)
        store.erase.fails(with: Broken(), where: { $0 == 2 })
        #expect(throws: Broken.self) { try store.erase(2) }
        try store.erase(3)
        #expect(store.erase.calls == [1, 2, 3])
    }

    @Test("answer in order, errors included")
    func order() throws {
        let store = StoreDouble()
        store.size.answers(1, 2).thenFails(with: Broken()).thenAnswers(3, 4)
        func next() -> Int? { try? store.size(of: "a") }
        #expect([next(), next(), next(), next(), next(), next()] == [1, 2, nil, 3, 4, 4])
        store.size.answers(9)
        #expect(next() == 9)
        store.size.answers(5, where: { $0 == "b" }).thenAnswers(6)
        #expect(
            try [store.size(of: "b"), store.size(of: "a"), store.size(of: "b"), store.size(of: "b")] == [5, 9, 6, 6])
    }

    @Test("let conditions read the double, which has recorded the call by then")
    func reentrancy() throws {
        let store = StoreDouble()
        store.size.answers(1)
        store.size.answers(2, where: { [weak store] _ in store?.size.calls.count == 2 })
        store.erase.answers { [weak store] _ in _ = try store?.size(of: "inner") }
        try store.erase(1)
        #expect(try store.size(of: "outer") == 2)
        #expect(store.testDouble.calls == ["erase(_:)", "size(of:)", "size(of:)"])
    }

    @Test("report an answer with another type than a generic call requires")
    func wrongType() throws {
        let store = StoreDouble()
        store.decode.answers("seven")
        #expect(try store.decode("a") as String == "seven")
        withKnownIssue {
            let failure = #expect(throws: DoubleFailure.self) { try store.decode("a") as Int }
            #expect(failure?.code == .wrongAnswer)
            #expect(
                failure?.message
                    == "StoreDouble.decode(_:) was asked for Int and answered String: set an answer of that type")
        }
    }

    @Test("forget calls and answers on request")
    func reset() throws {
        let store = StoreDouble()
        store.size.answers(1)
        _ = try store.size(of: "a")
        store.testDouble.reset()
        store.size.expectNever()
        #expect(store.testDouble.calls == [])
        withKnownIssue { #expect(throws: DoubleFailure.self) { try store.size(of: "a") } }
    }

    #if compiler(>=6.2)
        @Test("stop the process with the reason if a call without an answer cannot throw")
        func stopping() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                withKnownIssue { _ = StoreDouble().count.call(()) }
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(said.contains("StoreDouble.count() was called with () but has no answer: set one before the call"))
            #expect(!said.contains("fails(with"))
        }

        @Test("stop the process when a closure is used after its call")
        func lateClosure() async {
            await #expect(processExitsWith: .failure) {
                let closure = NonescapingClosure<() -> Void>({})
                closure.closure()
                closure.end()
                closure.closure()
            }
        }
    #endif

    @Test("are released with their last user")
    func memory() throws {
        var store: StoreDouble? = StoreDouble()
        weak let gone = store?.testDouble
        try store?.erase(1)
        store = nil
        #expect(gone == nil)
    }
}

@Suite("Expectations of doubles")
struct DoubleExpectationTests {
    private let store = StoreDouble()

    @Test("report nothing when met, and return the arguments")
    func fulfilled() throws {
        store.size.answers(1)
        store.size.expectNever()
        _ = try store.size(of: "a")
        store.size.expectOnce()
        #expect(try store.size.requireOnce() == "a")
        _ = try store.size(of: "b")
        store.size.expectCount(2)
        store.size.expectOnce(where: { $0 == "b" })
        #expect(try store.size.requireOnce(where: { $0 == "b" }) == "b")
        store.size.expectNever(where: { $0 == "c" })
    }

    @Test("fail the test at their line when not met, list the calls, and continue")
    func unfulfilled() throws {
        store.size.answers(1)
        for name in ["a", "b", "b"] { _ = try store.size(of: name) }
        let line = #line + 2
        let found = failures {
            store.size.expectOnce()
            store.size.expectNever(where: { $0 == "b" })
            store.erase.expectCount(2)
        }
        let list = "\n  1: (\"a\")\n  2: (\"b\")\n  3: (\"b\")"
        #expect(
            found.map(\.text) == [
                "StoreDouble.size(of:): expected one call, found 3\(list)",
                "StoreDouble.size(of:): expected no matching call, found 2 of 3\(list)",
                "StoreDouble.erase(_:): expected 2 calls, found none",
            ])
        #expect(found.map(\.line) == [line, line + 1, line + 2])
        #expect(found.allSatisfy { $0.file == "DoubleMethodTests.swift" })
    }

    @Test("throw once, with their location, if they are required")
    func required() throws {
        let error = #expect(throws: DoubleFailure.self) { try store.size.requireOnce() }
        #expect(error?.code == .wrongCount)
        #expect(error?.message == "StoreDouble.size(of:): expected one call, found none")
        #expect(error?.location?.line == UInt(#line) - 3)
        #expect(error?.location.map { "\($0.fileID)" } == #fileID)
    }

    @Test("limit the number and length of the listed calls")
    func longLists() throws {
        store.size.answers(1)
        for _ in 0..<25 { _ = try store.size(of: String(repeating: "x", count: 1000)) }
        let found = failures { store.size.expectNever() }
        let lines = (found.first?.text ?? "").split(separator: "\n")
        #expect(lines.count == 22)
        #expect(lines.last == "  and 5 more")
        #expect(lines.allSatisfy { $0.count < 420 })
    }
}
