import DeliveryProtocol
import JSONLines
import LoopbackServer
import Primitives

/// A collector on 127.0.0.1 that keeps the first bytes of each number, like a real one.
final class ReceivingCollector: Sendable {
    /// A received request.
    struct Post: Sendable {
        let id: String
        let authorization: String?
        /// nil for an import.
        let header: BatchHeader?
        let lines: [String]
    }

    private struct State {
        var script: [(Int, [(String, String)], String)?]
        var posts: [Post] = []
        var stored: [String: [Int64: String]] = [:]
    }

    private let state: Locked<State>
    private let server: LoopbackServer

    var url: String { server.url() }

    /// - Parameters:
    ///   - script: The first answers; nil to accept the lines.
    ///   - rejects: Which lines are rejected.
    init(
        _ script: [(Int, [(String, String)], String)?] = [],
        rejects: @escaping @Sendable (String) -> Bool = { _ in false }
    ) throws {
        let state = Locked(State(script: script))
        self.state = state
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let (status, fields, body) = state.withLock { Self.answer(request, &$0, rejects) }
                guard connection.answer(status, fields, Array(body.utf8)) else { return }
            }
        }
    }

    deinit { server.stop() }

    var posts: [Post] { state.withLock { $0.posts } }

    /// The stored lines of an install, in the order of their numbers.
    func lines(of install: String) -> [String] {
        state.withLock { $0.stored[install, default: [:]].sorted { $0.key < $1.key }.map(\.value) }
    }

    private static func answer(
        _ request: ReceivedRequest, _ state: inout State, _ rejects: (String) -> Bool
    ) -> (Int, [(String, String)], String) {
        var lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n").map(String.init)
        let header = lines.first.flatMap { try? JSONParser.parse(Array($0.utf8)) }.flatMap { try? BatchHeader($0) }
        if header != nil { lines.removeFirst() }
        state.posts.append(
            Post(
                id: request.fields["idempotency-key"] ?? "", authorization: request.fields["authorization"],
                header: header, lines: lines))
        if !state.script.isEmpty, let answer = state.script.removeFirst() { return answer }
        return take(lines, header, &state, rejects)
    }

    private static func take(
        _ lines: [String], _ header: BatchHeader?, _ state: inout State, _ rejects: (String) -> Bool
    ) -> (Int, [(String, String)], String) {
        let values = lines.map { (try? JSONParser.parse(Array($0.utf8))) ?? .null }
        let install = header?.installID ?? values.lazy.compactMap { $0["install_id"]?.stringValue }.first
        guard let install else { return problem(DeliveryProblem(.malformed, "no line can be read")) }
        var (stored, duplicates, forked): ([Int64], [Int64], [Int64]) = ([], [], [])
        var rejected: [Receipt.Rejection] = []
        var known = state.stored[install, default: [:]]
        for (index, line) in lines.enumerated() {
            let number = index + (header == nil ? 1 : 2)
            guard let seq = values[index]["seq"]?.integerValue, values[index]["install_id"]?.stringValue == install
            else {
                rejected.append(
                    .init(seq: nil, id: nil, line: number, code: "wrong-install", message: "another install"))
                continue
            }
            if rejects(line) {
                rejected.append(.init(seq: seq, id: nil, line: number, code: "schema", message: "page is a string"))
            } else if let before = known[seq] {
                if before == line { duplicates.append(seq) } else { forked.append(seq) }
            } else {
                known[seq] = line
                stored.append(seq)
            }
        }
        guard forked.isEmpty else {
            return problem(
                DeliveryProblem(
                    .fork, "numbers came with other bytes", acknowledged: NumberRanges.ranges(of: duplicates),
                    forked: NumberRanges.ranges(of: forked)))
        }
        state.stored[install] = known
        let receipt = Receipt(
            name: ReceiptName(collector: "c", number: 1), installID: install, batchID: header?.id,
            stored: NumberRanges.ranges(of: (stored + duplicates).sorted()),
            duplicates: NumberRanges.ranges(of: duplicates), rejected: rejected, highest: known.keys.max() ?? 0)
        return (200, [], Self.text(receipt.write))
    }

    static func problem(
        _ problem: DeliveryProblem, _ fields: [(String, String)] = []
    ) -> (Int, [(String, String)], String) {
        (problem.code.status, fields, text(problem.write))
    }

    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return json.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
