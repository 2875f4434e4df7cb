import CommandRunner
import Foundation
import Hummingbird
import JSONLines
import Logging
import ServiceLifecycle
import Testing
import Tracking
import TrackingDomainEvents
import TrackingTesting

/// The server of the guide "Track a server", with real requests.
@Suite("A server with many users", .timeLimit(.minutes(5)))
struct ShopServerTests {
    /// Serves while `body` runs, and then ends like SIGTERM.
    private func serve(_ tracker: Tracker, _ body: (_ port: Int) async throws -> Void) async throws {
        let ports = AsyncStream.makeStream(of: Int.self)
        let router = ShopServer.router(tracker) { request in
            request.headers[values: .init("x-user") ?? .authorization].first
        }
        var server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in ports.continuation.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "shop", factory: { _ in SwiftLogNoOpLogHandler() }))
        server.addServices(TrackingService(tracker: tracker))
        let group = ServiceGroup(
            services: [server], logger: Logger(label: "shop", factory: { _ in SwiftLogNoOpLogHandler() }))
        async let running: Void = group.run()
        for await port in ports.stream {
            try await body(port)
            break
        }
        await group.triggerGracefulShutdown()
        try await running
    }

    private func status(_ method: String, _ path: String, of user: String?, port: Int) async throws -> Int {
        let connection = try RawConnection(port: port)
        defer { connection.close() }
        await connection.send(RawRequest.head(method, "/\(path)", user.map { [("x-user", $0)] } ?? []))
        return try #require(await connection.response()).status
    }

    @Test("each request's event has its user, answers are the user's, and a request without a user sends none")
    func users() async throws {
        let folder = try TemporaryFolder()
        let tracker = Tracker.start(
            .file, configuration: TrackingConfiguration(folder: folder.path("tracking")), diagnostics: { _ in })
        try await serve(tracker) { port in
            for user in ["ada", "bob", nil, "ada"] {
                #expect(try await status("GET", "search/swift", of: user, port: port) == 200)
            }
            #expect(try await status("PUT", "consent/denied", of: "bob", port: port) == 204)
            #expect(try await status("PUT", "consent/perhaps", of: "bob", port: port) == 400)
            for user in ["ada", "bob"] { _ = try await status("GET", "search/swift", of: user, port: port) }
        }
        #expect(tracker.send(.launch) == nil)
        let text = try String(contentsOfFile: folder.path("tracking/events.jsonl"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSONParser.parse($0.utf8) }
        #expect(lines.compactMap { $0["user_id"]?.stringValue } == ["ada", "ada", "ada"])
        #expect(Set(lines.compactMap { $0["session_id"]?.stringValue }).count == 1)
    }

    @Test("a test of a handler expects the events of its users")
    func handler() async throws {
        let recorder = TrackingRecorder()
        try await serve(Tracker.mock(recording: recorder)) { port in
            for user in ["ada", "bob"] { _ = try await status("GET", "search/swift", of: user, port: port) }
        }
        let search = Search(query: "swift", page: 1)
        recorder.expect(matching: .event(search).by("ada"), .event(search).by("bob"))
    }
}
