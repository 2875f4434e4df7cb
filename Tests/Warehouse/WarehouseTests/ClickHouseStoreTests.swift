import DeliveryHTTP
import Foundation
import Primitives
import Testing
import Warehouse

/// The decisions of `ClickHouseStore`, with a server that fails as ClickHouse can. `tools/cluster/test` uses the real engine.
@Suite("Blocks in ClickHouse")
struct ClickHouseStoreTests {
    /// A table `events` with deduplication tokens.
    private final class Server: DeliveryTransport {
        struct State {
            var rows: [(block: String, hash: UInt64, count: Int64)] = []
            var tokens: Set<String> = []
            var requests: [String] = []
            /// What happens to the next inserts.
            var faults: [Fault] = []
        }

        enum Fault {
            /// The rows are stored, and the response is lost.
            case lostResponse
            /// The token is recorded, the rows are not, and the connection is lost: a kill in between.
            case tokenWithoutRows
            /// Only half of the rows are stored, and the connection is lost: one of two parts.
            case half
            /// Nothing happens, and the connection is lost.
            case nothing
            case answer(status: Int, code: Int)
        }

        let state = Locked(State())
        let block: Block

        init(_ block: Block) { self.block = block }

        func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
            let query = item("query") ?? String(decoding: request.body, as: UTF8.self)
            let words = query.split(whereSeparator: \.isWhitespace).map(String.init)
            let result: Result<DeliveryResponse, DeliveryTransportError> = state.withLock { state in
                switch words[0] {
                case "INSERT": return insert(&state, token: item("insert_deduplication_token") ?? "")
                case "DELETE":
                    state.requests.append("delete")
                    state.rows.removeAll { $0.block == item("param_block") }
                    return .success(DeliveryResponse(status: 200))
                case "SELECT":
                    let rows = state.rows.filter { $0.block == item("param_block") }
                    let count = rows.reduce(0) { $0 + $1.count }
                    let hash = rows.reduce(UInt64(0)) { $0 &+ $1.hash }
                    state.requests.append("count")
                    return .success(
                        DeliveryResponse(status: 200, body: Array("[\(count),\"\(hash)\"]\n".utf8)))
                default: return .success(DeliveryResponse(status: 200))
                }
            }
            return try result.get()
        }

        private func insert(
            _ state: inout State, token: String
        ) -> Result<DeliveryResponse, DeliveryTransportError> {
            state.requests.append("insert \(token)")
            let lost = DeliveryTransportError(.connectionLost, "lost")
            let group = block.events[0]
            func store(_ part: Int64 = 1) {
                guard state.tokens.insert(token).inserted else { return }
                state.rows.append((block.id, part == 1 ? group.hash : group.hash / 2, group.count / part))
            }
            switch state.faults.isEmpty ? nil : state.faults.removeFirst() {
            case nil:
                store()
                return .success(DeliveryResponse(status: 200))
            case .lostResponse:
                store()
                return .failure(lost)
            case .half:
                store(2)
                return .failure(lost)
            case .tokenWithoutRows:
                state.tokens.insert(token)
                return .failure(lost)
            case .nothing: return .failure(lost)
            case .answer(let status, let code):
                return .success(
                    DeliveryResponse(
                        status: status, fields: [DeliveryField("X-ClickHouse-Exception-Code", "\(code)")],
                        body: Array("Code: \(code). DB::Exception: no\nmore".utf8)))
            }
        }
    }

    private let server: Server
    private let store: ClickHouseStore

    init() throws {
        server = Server(try StateFolder().open().block(1, [StateFolder.message([1...4])]))
        store = ClickHouseStore(
            try ClickHouseClient(url: "http://127.0.0.1:8123", database: "tracking", transport: server))
    }

    /// Writes the block as the loader does: again, and in doubt, after each error.
    private func load(isInDoubt: Bool = false) throws {
        var isInDoubt = isInDoubt
        for _ in 0..<5 {
            do throws(LoaderError) {
                return try store.write(server.block, isInDoubt: isInDoubt)
            } catch {
                guard error.code == .unavailable || error.code == .otherRows else { throw error }
                isInDoubt = true
            }
        }
        Issue.record("still failing after five attempts")
    }

    private var isOnce: Bool {
        let (rows, group) = (server.state.withLock { $0.rows }, server.block.events[0])
        return rows.count == 1 && rows[0].count == group.count && rows[0].hash == group.hash
    }

    @Test("A block that is not in doubt needs one insert")
    func simple() throws {
        try load()
        #expect(isOnce && server.state.withLock { $0.requests } == ["insert 3-1/201711"])
    }

    @Test("A block in doubt is stored once after any single fault")
    func faults() throws {
        for (fault, requests) in [
            (Server.Fault.lostResponse, ["insert 3-1/201711", "count"]),
            (.nothing, ["insert 3-1/201711", "count", "insert 3-1/201711", "count"]),
            (
                .tokenWithoutRows,
                ["insert 3-1/201711", "count", "insert 3-1/201711", "count", "insert 3-1/201711/2", "count"]
            ),
            (.half, ["insert 3-1/201711", "count", "delete", "insert 3-1/201711/2", "count"]),
            (.answer(status: 500, code: 241), ["insert 3-1/201711", "count", "insert 3-1/201711", "count"]),
        ] {
            server.state.withLock { $0 = Server.State(faults: [fault]) }
            try load()
            #expect(isOnce, "\(fault)")
            #expect(server.state.withLock { $0.requests } == requests, "\(fault)")
        }
    }

    @Test("Two faults in a row", arguments: 0..<16)
    func pairs(number: Int) throws {
        let faults: [Server.Fault] = [.lostResponse, .nothing, .tokenWithoutRows, .half]
        server.state.withLock { $0.faults = [faults[number / 4], faults[number % 4]] }
        try load()
        #expect(isOnce)
    }

    @Test("A block that is there, and one that was written twice")
    func present() throws {
        try load()
        try load(isInDoubt: true)
        #expect(isOnce && server.state.withLock { $0.requests.last } == "count")
        server.state.withLock { $0.rows.append($0.rows[0]) }
        try load(isInDoubt: true)
        #expect(isOnce)
    }

    @Test("An error in the request names the server, the code and the first line, and is not retried here")
    func rejected() throws {
        server.state.withLock { $0.faults = [.answer(status: 404, code: 60)] }
        let error = #expect(throws: LoaderError.self) { try store.write(server.block, isInDoubt: false) }
        #expect(error?.code == .rejected)
        #expect(
            error?.message
                == "ClickHouse at http://127.0.0.1:8123/tracking answered 404, code 60: Code: 60. DB::Exception: no"
        )
    }

    @Test("Addresses and names that could leak events or run other statements are rejected")
    func addresses() {
        for (url, database) in [
            ("http://db.example.com:8123", "tracking"), ("https://u:p@db.example.com", "tracking"),
            ("db", "tracking"),
            ("http://127.0.0.1:8123", "a b"), ("http://127.0.0.1:8123", ""), ("http://127.0.0.1:8123", "a;DROP"),
        ] {
            let error = #expect(throws: LoaderError.self) { try ClickHouseClient(url: url, database: database) }
            #expect(error?.code == .rejected)
        }
    }
}
