import CollectorFixtures
import DeliveryProtocol
import Foundation
import JSONLines
import Primitives
import Testing

@testable import CollectorServer

@Suite("Answers that clients do not read", .timeLimit(.minutes(10)))
struct PendingAnswersTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")

    init() throws { folder = try CollectorFolder() }

    private func pending(_ collector: ServedCollector) async throws -> Int {
        let name = "collector_answer_bytes_pending "
        let line = try await collector.get("/metrics").lines.first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }

    /// Stores every second number, so that each receipt has a list of missing numbers.
    private func makeGaps(_ collector: ServedCollector) async throws -> Receipt {
        let lines = stride(from: 1, through: 999, by: 2).map { sender.line($0) }
        return try await collector.post(SendingInstall.body([sender.header(1, 1...999)] + lines)).receipt()
    }

    @Test("A receipt lists 100 missing ranges, and whether there are more")
    func missing() async throws {
        try await folder.serve { collector in
            let receipt = try await makeGaps(collector)
            #expect(receipt.missing == (1...100).map { 2 * $0...2 * $0 })
            let evens = stride(from: 2, through: 998, by: 2).map { sender.line($0) }
            let answer = try await collector.post(SendingInstall.body([sender.header(1, 1...999)] + evens))
            #expect(try answer.problem().code == .keyReused)
            let some = try await collector.post(
                SendingInstall.body([sender.header(2, 2...798)] + evens.prefix(399)))
            #expect(some.json?["has_more_missing"] == nil)
            #expect(try some.receipt().missing == (400...499).map { 2 * $0...2 * $0 })
            let more = try await collector.post(sender.body(3, 1000...1002))
            #expect(more.json?["has_more_missing"] == nil)
            _ = try await collector.post(sender.body(4, 1004...1004))
            let last = try await collector.post(sender.body(5, 1005...1005))
            #expect(last.json?["has_more_missing"] == .bool(true))
            #expect(try last.receipt().missing.count == 100)
        }
    }

    @Test("While answers are not read, no further request is read; other connections are served")
    func pausing() async throws {
        try await folder.serve { collector in
            _ = try await makeGaps(collector)
            let silent = try collector.connect()
            // 15,000 answers of more than a KB each: the system's buffers have a few MB.
            var requests: [UInt8] = []
            for number in 1...15_000 {
                let body = sender.body(number + 1, Int64(number) + 1000...Int64(number) + 1000)
                requests += RawRequest.events(key: folder.writeKey, [("Content-Length", "\(body.count)")]) + body
            }
            let sending = Task { [requests] in await silent.send(requests) }
            var most = 0
            #expect(
                try await eventually {
                    most = max(most, try await pending(collector))
                    return most > 0
                })
            for _ in 0..<20 {
                most = max(most, try await pending(collector))
                #expect(try await collector.post(SendingInstall("install-b").body(1, 1...1)).status == 200)
            }
            #expect(most < 64 << 10)
            // Closing alone would not wake the thread that sends.
            silent.halfClose()
            #expect(await sending.value == false)
            silent.reset()
            #expect(try await eventually { try await pending(collector) == 0 })
        }
    }

    @Test("Beyond the limit of all connections, those with the most are closed")
    func closing() {
        final class Connection: Sendable { let isClosed = Locked(false) }
        let (answers, connections) = (PendingAnswers(bytes: 100), (0..<4).map { _ in Connection() })
        func set(_ bytes: Int, _ index: Int) {
            let connection = connections[index]
            answers.set(bytes, of: ObjectIdentifier(connection)) { connection.isClosed.withLock { $0 = true } }
        }
        func closed() -> [Int] { connections.indices.filter { index in connections[index].isClosed.withLock { $0 } } }
        set(40, 0)
        set(50, 1)
        set(10, 2)
        #expect(answers.bytes == 100 && closed().isEmpty)
        set(30, 0)
        set(20, 2)
        #expect(answers.bytes == 100 && closed().isEmpty)
        set(60, 3)
        #expect(answers.bytes == 100 && closed() == [3])
        set(31, 0)
        #expect(answers.bytes == 51 && closed() == [1, 3])
        answers.remove(ObjectIdentifier(connections[0]))
        answers.remove(ObjectIdentifier(connections[1]))
        #expect(answers.bytes == 20)
    }

    @Test("A rejection's message has at most 200 bytes of valid text")
    func messages() {
        for length in [199, 200, 201, 300] {
            for character in ["x", "é", "€", "😀"] {
                let text = String(repeating: character, count: length)
                let message = Receipt.Rejection(seq: 1, id: nil, line: 1, code: "schema", message: text).message
                #expect(message.utf8.count <= 200)
                #expect(message == text || message.hasSuffix("…"))
                let noted = Receipt.Rejection.limited(text, note: " (note)")
                #expect(noted.utf8.count <= 200 && noted.hasSuffix("… (note)"))
            }
        }
    }
}
