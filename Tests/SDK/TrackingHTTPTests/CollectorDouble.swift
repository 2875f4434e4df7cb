import DeliveryProtocol
import LoopbackServer
import Primitives

/// A collector on 127.0.0.1 that stores batches. It first gives the responses of a script.
final class CollectorDouble: Sendable {
    /// The response to a request.
    enum Reply: Sendable {
        /// Stores the batch, and sends a receipt.
        case collect
        /// Stores nothing, and sends this response.
        case status(Int, [(String, String)] = [], [UInt8] = [])
        /// Stores nothing, and sends a response computed from the request.
        case making(@Sendable (ReceivedBatch) throws -> Reply)
        /// Sends these bytes after receiving the whole request, and closes the connection.
        case raw(String)
        /// Stores the batch, and closes the connection without a response.
        case collectSilently
        /// Sends nothing until the peer ends the connection.
        case hang

        static func problem(_ problem: DeliveryProblem, _ fields: [(String, String)] = []) -> Reply {
            .making { _ in
                .status(
                    problem.code.status, [("Content-Type", "application/problem+json")] + fields, try problem.json())
            }
        }

        /// A 200 with a receipt for the request.
        static func receipt(_ make: @escaping @Sendable (ReceivedBatch) -> Receipt) -> Reply {
            .making { .status(200, [("Content-Type", "application/json")], try make($0).json()) }
        }
    }

    private struct State {
        var script: [Reply]
        var requests: [ReceivedRequest] = []
        var errors: [String] = []
        /// The lines by install and number.
        var stored: [String: [Int64: [UInt8]]] = [:]
        var receipts: Int64 = 0
        var ended = 0
    }

    private let state: Locked<State>
    private let server: LoopbackServer
    /// A value for each received request.
    private let arrivals: AsyncStream<Void>
    /// A value for each unanswered request whose connection the peer has ended.
    private let hangups: AsyncStream<Void>

    var url: String { server.url() }

    /// Starts a collector. After the script, batches are stored.
    init(_ script: [Reply] = []) throws {
        let state = Locked(State(script: script))
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (hangups, hangup) = AsyncStream<Void>.makeStream()
        (self.state, self.arrivals, self.hangups) = (state, arrivals, hangups)
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let reply = state.withLock { state in
                    state.requests.append(request)
                    return state.script.isEmpty ? .collect : state.script.removeFirst()
                }
                arrival.yield()
                guard Self.send(reply, to: request, connection, state) else {
                    hangup.yield()
                    return
                }
            }
        }
    }

    deinit { server.stop() }

    /// - Returns: Whether to keep the connection.
    private static func send(
        _ reply: Reply, to request: ReceivedRequest, _ connection: ServerConnection, _ state: Locked<State>
    ) -> Bool {
        do {
            switch reply {
            case .status(let status, let fields, let body): return connection.answer(status, fields, body)
            case .making(let make): return send(try make(ReceivedBatch(request)), to: request, connection, state)
            case .raw(let text):
                connection.send(text)
                return false
            case .hang:
                connection.awaitEnd()
                return false
            case .collectSilently:
                _ = try store(ReceivedBatch(request), state)
                return false
            case .collect: return connection.answer(200, [], try store(ReceivedBatch(request), state).json())
            }
        } catch {
            state.withLock { $0.errors.append("\(error)") }
            return connection.answer(400)
        }
    }

    private static func store(_ batch: ReceivedBatch, _ state: Locked<State>) throws -> Receipt {
        state.withLock { state in
            state.receipts += 1
            for (seq, line) in zip(batch.seqs, batch.lines) {
                state.stored[batch.header.installID, default: [:]][seq] = line
            }
            return batch.receipt(number: state.receipts)
        }
    }

    var requests: [ReceivedRequest] { state.withLock { $0.requests } }
    /// Errors for which a collector would have answered 400.
    var errors: [String] { state.withLock { $0.errors } }

    func batches() throws -> [ReceivedBatch] { try requests.map { try ReceivedBatch($0) } }

    /// The stored numbers of an install, in order.
    func seqs(of install: String) -> [Int64] { state.withLock { $0.stored[install, default: [:]].keys.sorted() } }

    /// The stored lines of an install, in the order of their numbers.
    func lines(of install: String) -> [[UInt8]] {
        state.withLock { $0.stored[install, default: [:]].sorted { $0.key < $1.key }.map(\.value) }
    }

    /// The installs with stored events.
    var installs: [String] { state.withLock { $0.stored.keys.sorted() } }

    func script(_ replies: [Reply]) { state.withLock { $0.script = replies } }

    /// Returns when another request has arrived.
    func awaitRequest() async { for await _ in arrivals { return } }

    /// Returns when the peer has ended a connection with an unanswered request.
    func awaitHangup() async { for await _ in hangups { return } }
}
