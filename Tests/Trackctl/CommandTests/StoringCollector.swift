import DeliveryProtocol
import Foundation
import JSONLines
import LoopbackServer
import Primitives

/// A collector on 127.0.0.1 whose stored lines can be read, in pages.
final class StoringCollector: Sendable {
    /// A received request.
    struct Request: Sendable {
        let path: String
        let parameters: [String: String]
        let authorization: String?
        /// As text: empty for a `GET`; must not be compressed.
        let body: String
    }

    /// An answer instead of the requested page.
    struct Reply: Sendable {
        var status = 200
        var fields: [(String, String)] = []
        var body: [UInt8] = []

        static func problem(_ problem: DeliveryProblem, _ fields: [(String, String)] = []) -> Reply {
            Reply(
                status: problem.code.status, fields: [("Content-Type", "application/problem+json")] + fields,
                body: Array(JSONWriter.text(problem.write).utf8))
        }
    }

    private struct State {
        var lines: [String]
        var script: [Reply?]
        var requests: [Request] = []
        /// The answers for other paths.
        var pages: [String: String] = [:]
    }

    static let token = "admin-token"
    private let state: Locked<State>
    private let server: LoopbackServer

    /// The collector's origin.
    var url: String { server.url("") }

    /// Starts a collector.
    ///
    /// - Parameters:
    ///   - pageLines: How many lines a page has at most.
    ///   - script: The first answers; nil for the requested page.
    init(_ lines: [TrackctlLine], pageLines: Int = 3, script: [Reply?] = []) throws {
        let state = Locked(State(lines: lines.map(\.text), script: script))
        self.state = state
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let reply = state.withLock { Self.reply(to: request, &$0, pageLines) }
                guard connection.answer(reply.status, reply.fields, reply.body) else { return }
            }
        }
    }

    deinit { server.stop() }

    /// The requests so far.
    var requests: [Request] { state.withLock { $0.requests } }

    /// Stores lines after the existing ones.
    func store(_ lines: [TrackctlLine]) { state.withLock { $0.lines += lines.map(\.text) } }

    /// Sets the next answers; nil for the requested page.
    func script(_ script: [Reply?]) { state.withLock { $0.script = script } }

    /// Sets the answer for a path.
    func set(_ path: String, _ body: String) { state.withLock { $0.pages[path] = body } }

    private static func reply(to received: ReceivedRequest, _ state: inout State, _ pageLines: Int) -> Reply {
        let target = received.line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let parts = URLComponents(string: target)
        let parameters = Dictionary(
            (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        let path = parts?.path ?? ""
        state.requests.append(
            Request(
                path: path, parameters: parameters, authorization: received.fields["authorization"],
                body: String(decoding: received.body, as: UTF8.self)))
        if !state.script.isEmpty, let reply = state.script.removeFirst() { return reply }
        guard received.fields["authorization"] == "Bearer \(token)" else {
            return .problem(
                DeliveryProblem(.unauthorized, "the token \(received.fields["authorization"] ?? "") is not known"))
        }
        if let page = state.pages[path] { return Reply(body: Array(page.utf8)) }
        guard path == CollectorPath.lines else { return .problem(DeliveryProblem(.notFound, "no \(path) here")) }
        let after = parameters[LinesQuery.after].flatMap { $0.split(separator: ".").last }.flatMap { Int($0) } ?? 0
        let page = state.lines.dropFirst(after).prefix(pageLines)
        let end = after + page.count
        return Reply(
            fields: [
                ("Content-Type", DeliveryHeaderField.mediaType),
                (LinesQuery.cursorField, page.isEmpty ? parameters[LinesQuery.after] ?? "" : "7.\(end)"),
                (LinesQuery.moreField, end < state.lines.count ? "true" : "false"),
            ], body: Array(page.map { "\($0)\n" }.joined().utf8))
    }
}

extension JSONWriter {
    /// The bytes that a value writes.
    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return json.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
