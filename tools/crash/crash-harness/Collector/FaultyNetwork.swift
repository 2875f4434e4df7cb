import DeliveryProtocol
import Foundation
import JSONLines
internal import Primitives

/// A network between senders and the collector that cuts, delays, repeats and reorders requests at random, and records
/// every receipt of the collector.
final class FaultyNetwork: Sendable {
    /// An error of the network.
    enum Event: String, CaseIterable {
        case passed, refused
        case cutRequest = "request cut"
        case lostAnswer = "answer lost"
        case cutAnswer = "answer cut"
        case delayed, overtaken
        case twice = "sent twice"
        case again = "sent again later"
    }

    /// The responses of the collector.
    struct Answers {
        /// The numbers in receipts that are stored, by install.
        var held: [String: [ClosedRange<Int64>]] = [:]
        var receipts = 0
        /// Receipts of erasures.
        var erasures = 0
        /// The number of the receipt, by batch.
        var numbers: [String: Int64] = [:]
        /// Responses that no sender should get.
        var wrong: [String] = []
        var unavailable = 0
        var events: [Event: Int] = [:]
    }

    private struct State {
        var upstream: UInt16?
        var random: SplitMix64
        var isCalm = false
        /// How many requests pass without an error in any case, in percent.
        let calmShare: Int
        var answers = Answers()
        /// The number of requests that have passed.
        var passed = 0
    }

    let port: UInt16
    private let state: Locked<State>

    /// - Parameter calmShare: How many requests pass without an error in any case, in percent.
    init(seed: UInt64, calmShare: Int = 40) throws {
        let (descriptor, port) = try Loopback.listen()
        self.port = port
        state = Locked(State(random: SplitMix64(seed: seed), calmShare: calmShare))
        Loopback.accept(descriptor, serve)
    }

    var answers: Answers { state.withLock { $0.answers } }

    /// Sets the collector's port; nil if it is not running.
    func connect(to port: UInt16?) { state.withLock { $0.upstream = port } }

    /// Stops all errors from now on.
    func calm() { state.withLock { $0.isCalm = true } }

    private func serve(_ client: ByteStream) {
        while let request = client.message() { guard pass(request, client) else { return } }
    }

    /// - Returns: Whether the client's connection continues.
    private func pass(_ request: HTTPMessage, _ client: ByteStream) -> Bool {
        let (event, length, pause) = draw()
        state.withLock { $0.answers.events[event, default: 0] += 1 }
        func part(_ bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[..<(bytes.count * length / 1000)] }
        switch event {
        case .passed: break
        case .refused: return false
        case .cutRequest:
            guard let server = open() else { return false }
            server.send(part(request.bytes))
            usleep(UInt32(pause / 10))
            return false
        case .lostAnswer:
            _ = exchange(request)
            return false
        case .cutAnswer:
            guard let answer = exchange(request) else { return false }
            client.send(part(answer.bytes))
            return false
        case .delayed: usleep(UInt32(pause))
        case .overtaken:
            // Until another request has passed, or a timeout.
            let passed = state.withLock { $0.passed }
            for _ in 0..<500 where state.withLock({ $0.passed }) == passed { usleep(1000) }
        case .twice:
            // Both concurrently, so either may be first.
            Thread.detachNewThread { [self] in _ = exchange(request) }
        case .again:
            Thread.detachNewThread { [self] in
                usleep(UInt32(pause) * 10)
                _ = exchange(request)
            }
        }
        guard let answer = exchange(request) else { return false }
        return client.send(answer.bytes)
    }

    private func draw() -> (event: Event, length: Int, pause: Int) {
        state.withLock { state in
            let isCalm = state.isCalm || state.random.happens(state.calmShare)
            let event = state.random.one(of: Event.allCases) ?? .passed
            return (isCalm ? .passed : event, state.random.below(1000), state.random.below(200_000))
        }
    }

    private func open() -> ByteStream? { state.withLock { $0.upstream }.flatMap { ByteStream(port: $0) } }

    /// Sends a request to the collector, and records the response.
    private func exchange(_ request: HTTPMessage) -> HTTPMessage? {
        guard let server = open(), server.send(request.bytes), let answer = server.message() else { return nil }
        state.withLock { state in
            state.passed += 1
            Self.note(answer, request, &state.answers)
        }
        return answer
    }

    private static func note(_ answer: HTTPMessage, _ request: HTTPMessage, _ answers: inout Answers) {
        if answer.status == 503 {
            answers.unavailable += 1
            return
        }
        let json = try? JSONParser.parse(answer.body)
        if request.path.hasSuffix("/erasures"), answer.status == 200,
            let receipt = json.flatMap({ try? ErasureReceipt($0) })
        {
            answers.erasures += 1
            if receipt.id != request["Idempotency-Key"] { answers.wrong.append("a receipt of another erasure") }
            return
        }
        guard answer.status == 200, let receipt = json.flatMap({ try? Receipt($0) }) else {
            answers.wrong.append("\(answer.status): \(String(decoding: answer.body.prefix(300), as: UTF8.self))")
            return
        }
        answers.receipts += 1
        answers.held[receipt.installID] = NumberRanges.union(
            answers.held[receipt.installID, default: []] + receipt.stored)
        for rejection in receipt.rejected { answers.wrong.append("rejected: \(rejection.code) \(rejection.message)") }
        let batch = receipt.batchID ?? ""
        if batch != request["Idempotency-Key"] { answers.wrong.append("a receipt of another batch: \(batch)") }
        if let before = answers.numbers.updateValue(receipt.name.number, forKey: batch), before != receipt.name.number {
            answers.wrong.append("batch \(batch) has receipts \(before) and \(receipt.name.number)")
        }
    }
}
