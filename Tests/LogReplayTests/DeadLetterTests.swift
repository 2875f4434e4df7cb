import CommandRunner
import CommandSupport
import EventLog
import Foundation
import LogReplay
import Testing

@Suite("Dead letters")
struct DeadLetterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Refuses these lines and gives the letters' bytes.
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

    @Test("A letter that was cut off by a kill is written over, whole ones are kept")
    func torn() async throws {
        let path = try folder.write("{\"line\":\"{}\",\"reason\":\"no\"}\n{\"line\":\"{\\\"id", to: "dlq")
        let letters = try await refuse([ReplayedLine(number: 1)], path: path)
        #expect(
            try letters.map { try DeadLetter.line(of: $0) } == [
                Array("{}".utf8), Array(ReplayedLine(number: 1).text.utf8),
            ])
    }

    @Test("A file of something else is left alone")
    func otherFile() async throws {
        let path = try folder.write("my notes", to: "notes")
        let error = await #expect(throws: CommandFailure.self) {
            _ = try await refuse([ReplayedLine(number: 1)], path: path)
        }
        #expect(error?.status == .dataAtFault)
        #expect(try folder.read("notes") == Data("my notes".utf8))
    }
}
