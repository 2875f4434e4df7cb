import AppsTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import EchoServer

@Suite("A server")
struct EchoServiceTests {
    private struct Request: Connection {
        let line: String
        let answers: AsyncStream<String>.Continuation

        func read() -> String { line }
        func write(_ line: String) { answers.yield(line) }
    }

    @Test("each request sends an event after its response, and the server sends an event at its end")
    func serving() async throws {
        let recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "EchoServer"))
        let (connections, accepted) = AsyncStream.makeStream(of: Request.self)
        let (answers, answered) = AsyncStream.makeStream(of: String.self)
        for line in ["hello", ""] { accepted.yield(Request(line: line, answers: answered)) }
        accepted.finish()
        await EchoService(tracker: .mock(recording: recorder)).serve(connections)
        answered.finish()
        #expect(await answers.reduce(into: Set()) { $0.insert($1) } == ["hello", ""])
        // Requests run concurrently, so the order of their events is undefined; only the last event is fixed.
        let events = recorder.containers.compactMap { $0.event(as: RequestAnswered.self) }.sorted { $0.size < $1.size }
        #expect(events == [.requestAnswered(outcome: .empty, size: 0), .requestAnswered(outcome: .echoed, size: 5)])
        #expect(recorder.containers.last?.event(as: ServerStopped.self) == .serverStopped(requests: 2))
        #expect(recorder.fired.count == 3)
        recorder.skipRecorded()
    }

    @Test("a server without requests sends only the event at its end")
    func idle() async throws {
        let recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "EchoServer"))
        let (connections, accepted) = AsyncStream.makeStream(of: Request.self)
        accepted.finish()
        await EchoService(tracker: .mock(recording: recorder)).serve(connections)
        recorder.expect(.serverStopped(requests: 0))
    }
}
