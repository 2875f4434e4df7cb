import DeliveryHTTP
import DeliveryProtocol
import EventModel
import LoopbackServer
import Primitives
import Testing

/// A collector's responses, as a reader interprets them.
@Suite("CollectorClient", .timeLimit(.minutes(10)))
struct CollectorClientTests {
    private static let token = "admin-token"

    /// Answers requests one after another, and records them.
    private final class Server: Sendable {
        private let received = Locked<[ReceivedRequest]>([])
        private let server: LoopbackServer

        init(_ answers: [(Int, [(String, String)], String)]) throws {
            let received = received
            let left = Locked(answers)
            server = try LoopbackServer { connection in
                while let request = connection.readRequest() {
                    received.withLock { $0.append(request) }
                    let answer = left.withLock { $0.isEmpty ? (500, [], "") : $0.removeFirst() }
                    guard connection.answer(answer.0, answer.1, Array(answer.2.utf8)) else { return }
                }
            }
        }

        deinit { server.stop() }

        var requests: [ReceivedRequest] { received.withLock { $0 } }

        func client(path: String = "") throws -> CollectorClient {
            CollectorClient(
                try CollectorClient.base(of: server.url(path)), token: try WriteKey(token), transport: .system())
        }
    }

    private func page(_ cursor: String, more: Bool) -> [(String, String)] {
        [("tracking-cursor", cursor), ("tracking-more", "\(more)")]
    }

    private func error(_ work: () async throws(CollectorError) -> Void) async -> CollectorError? {
        do throws(CollectorError) {
            try await work()
            return nil
        } catch { return error }
    }

    @Test("any cursor of a page starts the next one; each request has selection and token")
    func pages() async throws {
        let server = try Server([(200, page("7.1 &?", more: true), "{}\n"), (200, page("7.2", more: false), "")])
        let client = try server.client()
        var selection = LinesSelection()
        selection.install = "a b"
        selection.user = "me+you"
        selection.schema = "search/1-0-0"
        selection.from = EventTime(microseconds: 1_536_753_247_250_000)
        selection.to = EventTime(seconds: 1_536_753_250)
        let first = try await client.lines(after: "", selection)
        #expect(first.lines == Array("{}\n".utf8) && first.cursor == "7.1 &?" && first.hasMore)
        let second = try await client.lines(after: first.cursor, selection)
        #expect(second.lines.isEmpty && second.cursor == "7.2" && !second.hasMore)
        let query =
            "install=a%20b&user=me%2Byou&schema=search%2F1-0-0&from=1536753247.25&to=1536753250&limit=5000"
        #expect(
            server.requests.map(\.line) == [
                "GET /v1/lines?\(query) HTTP/1.1", "GET /v1/lines?\(query)&after=7.1%20%26%3F HTTP/1.1",
            ])
        #expect(server.requests.allSatisfy { $0.fields["authorization"] == "Bearer admin-token" })
    }

    @Test(
        "a page that would lose or repeat lines is an error",
        arguments: [
            ([("tracking-cursor", "1.1")], ""), ([("tracking-more", "true")], "{}\n"),
            ([("tracking-cursor", "1.1"), ("tracking-more", "yes")], "{}\n"),
            ([("tracking-cursor", "1.1"), ("tracking-more", "false")], "{}\n{"),
            ([("tracking-cursor", "1.0"), ("tracking-more", "false")], "{}\n"),
            ([("tracking-cursor", "1.0"), ("tracking-more", "true")], ""),
        ])
    func badPages(fields: [(String, String)], body: String) async throws {
        let server = try Server([(200, fields, body)])
        let client = try server.client()
        let error = await error { () async throws(CollectorError) in _ = try await client.lines(after: "1.0", .init()) }
        #expect(error?.code == .invalidAnswer && error?.isTransient == false && server.requests.count == 1)
    }

    @Test(
        "the meaning of each status",
        arguments: [
            (401, CollectorError.Code.unauthorized), (403, .unauthorized), (400, .invalidQuery), (404, .noSuchPage),
            (308, .noSuchPage), (204, .invalidAnswer), (429, .unavailable), (500, .unavailable), (503, .unavailable),
        ])
    func statuses(status: Int, code: CollectorError.Code) async throws {
        let body = DeliveryProblem(.internalError, "said \(Self.token)\u{1B}[2J")
        let text = status == 404 ? "" : String(decoding: try body.json(), as: UTF8.self)
        let server = try Server([(status, [("Retry-After", "7"), ("Location", "http://127.0.0.1:1/")], text)])
        let client = try server.client()
        let error = try #require(
            await error { () async throws(CollectorError) in _ = try await client.lines(after: "", .init()) })
        #expect(error.code == code)
        #expect(error.isTransient == (code == .unavailable))
        #expect(error.retryAfter == (code == .unavailable ? .seconds(7) : nil))
        #expect(error.message.contains("\(status)") && !error.message.contains(Self.token))
        #expect(!error.message.contains("\u{1B}"))
        #expect(server.requests.count == 1)
    }

    @Test("an unknown install is nil; a known install and its hashes are read")
    func install() async throws {
        let summary = InstallSummary(
            installID: "a/b", firstSeen: EventTime(seconds: 1), lastSeen: EventTime(seconds: 2), highest: 9,
            numbers: [.init(seqs: 1...8, fate: .stored)], ledger: [], forks: [])
        let unknown = try DeliveryProblem(.notFound, "no install").json()
        let server = try Server([
            (200, [], String(decoding: try summary.json(), as: UTF8.self)),
            (200, [], "{\"hashes\":[{\"first\":1,\"last\":8,\"hash\":\"00000000000000ff\"}]}"),
            (404, [], String(decoding: unknown, as: UTF8.self)), (404, [], String(decoding: unknown, as: UTF8.self)),
            (200, [], "{\"hashes\":[{\"first\":1,\"last\":8,\"hash\":\"ff\"}]}"),
        ])
        let client = try server.client(path: "/tracking/v1/events")
        #expect(try await client.install("a/b") == summary)
        #expect(try await client.hashes(ofInstall: "a/b") == [RangeHash(seqs: 1...8, hash: 255)])
        #expect(try await client.install("a/b") == nil)
        #expect(try await client.hashes(ofInstall: "a/b") == [])
        let error = await error { () async throws(CollectorError) in _ = try await client.hashes(ofInstall: "a/b") }
        #expect(error?.code == .invalidAnswer)
        #expect(
            server.requests.map(\.line).prefix(2) == [
                "GET /tracking/v1/installs/a%2Fb HTTP/1.1", "GET /tracking/v1/installs/a%2Fb/hashes HTTP/1.1",
            ])
    }

    @Test("a missing collector is unreachable, and a canceled request ends")
    func unreachable() async throws {
        let port = try ClosedPort()
        let client = CollectorClient(
            try CollectorClient.base(of: "http://127.0.0.1:\(port.port)"), token: try WriteKey(Self.token),
            transport: .system())
        let error = await error { () async throws(CollectorError) in _ = try await client.lines(after: "", .init()) }
        #expect(error?.code == .unreachable && error?.isTransient == true)
    }
}
