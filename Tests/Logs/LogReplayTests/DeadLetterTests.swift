import CommandRunner
import EventModel
import Foundation
import LogReplay
import Testing

@Suite("Dead letters")
struct DeadLetterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Rejects these lines and returns the letters' bytes.
    private func refuse(_ lines: [ReplayedLine], path: String) async throws -> [ArraySlice<UInt8>] {
        var plan = ReplayPlan.small()
        plan.rule = .putAside(DeadLetterFile(path: path))
        let sink = ScriptedSink { _, _ in .refused(SinkReason(status: 400, "no")) }
        var source = LinesSource(lines)
        try await ReplayEngine(plan, sink: sink, clock: JumpingClock(), brake: Brake()) { EventTime(seconds: 7) }
            .run(&source, state: .fresh(), file: nil)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).split(separator: UInt8(ascii: "\n"))
    }

    @Test("A letter gives back the exact bytes of its line", arguments: ["u", #"\u00e9\"\\"#, "é\u{2028}"])
    func exact(user: String) async throws {
        let line = ReplayedLine(number: 1, user: user)
        let letters = try await refuse([line], path: folder.path("dlq"))
        #expect(try letters.map { try DeadLetter.line(of: $0) } == [Array(line.text.utf8)])
        #expect(String(decoding: letters[0], as: UTF8.self).hasSuffix(#","time":7}"#))
    }

    @Test("A letter that was truncated by a kill is overwritten, complete ones are kept")
    func torn() async throws {
        let path = try folder.write("{\"line\":\"{}\",\"reason\":\"no\"}\n{\"line\":\"{\\\"id", to: "dlq")
        let letters = try await refuse([ReplayedLine(number: 1)], path: path)
        #expect(
            try letters.map { try DeadLetter.line(of: $0) } == [
                Array("{}".utf8), Array(ReplayedLine(number: 1).text.utf8),
            ])
    }

    /// Sets a batch of ten aside in halves, as its sink accepts at most five at a time, and answers that many of them.
    private func refuseHalves(
        _ answers: Int, of lines: [ReplayedLine], state: ReplayState, _ file: StateFile
    ) async throws {
        struct Cut: Error {}
        var plan = ReplayPlan.small()
        plan.rule = .putAside(DeadLetterFile(path: folder.path("dlq")))
        let sink = ScriptedSink { batch, call in
            if batch.count > 5 { return .tooLarge(SinkReason(status: 413, "large")) }
            guard call <= answers else { throw Cut() }
            return .refused(SinkReason(status: 400, "no"))
        }
        var source = LinesSource(lines)
        try await ReplayEngine(plan, sink: sink, clock: JumpingClock(), brake: Brake()) { EventTime(seconds: 7) }
            .run(&source, state: state, file: file)
    }

    @Test(
        "Events of an interrupted batch that were set aside are not set aside again",
        arguments: [("", "", 0), ("", "", 70), ("{\"line\":\"{}\"}\n", "{\"line\":\"[]\"}\n", 0)])
    func notAgain(before: String, between: String, torn: Int) async throws {
        var lines = (0..<10).map { ReplayedLine(number: $0) }
        // The same event in both halves is two events.
        lines[7] = lines[2]
        let file = StateFile(path: folder.path("state"))
        try folder.write(before, to: "dlq")
        await #expect(throws: (any Error).self) { try await refuseHalves(1, of: lines, state: .fresh(), file) }
        let state = try #require(try file.read(for: ["--to": "x"], lanes: 1))
        #expect(state.lanes[0].events == 0 && state.lanes[0].letters == Int64(before.utf8.count))
        // A kill in the middle of a letter, or another replay afterwards.
        let letters = try folder.read("dlq").dropLast(torn) + Data(between.utf8)
        try Data(letters).write(to: URL(fileURLWithPath: folder.path("dlq")))
        try await refuseHalves(2, of: lines, state: state, file)
        let first = lines[..<5].map(\.text)
        let all = try folder.read("dlq").split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: try DeadLetter.line(of: $0), as: UTF8.self) }
        #expect(
            all == (before.isEmpty ? [] : ["{}"]) + first + (between.isEmpty ? [] : ["[]"]) + lines[5...].map(\.text))
        #expect(try file.read(for: ["--to": "x"], lanes: 1)?.lanes[0].letters == nil)
    }

    @Test("A file with other content is not changed", arguments: ["my notes", "my notes\n", "{}\n", "\n"])
    func otherFile(text: String) async throws {
        let path = try folder.write(text, to: "notes")
        let error = await #expect(throws: ReplayError.self) {
            _ = try await refuse([ReplayedLine(number: 1)], path: path)
        }
        #expect(error?.code == .notOurs)
        #expect(try folder.read("notes") == Data(text.utf8))
    }
}
