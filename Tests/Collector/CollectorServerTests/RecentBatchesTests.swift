import CollectorFixtures
import CollectorIntake
import DeliveryProtocol
import NIOCore
import Testing

@testable import CollectorServer

@Suite("Batches that are sent again and again", .timeLimit(.minutes(10)))
struct RecentBatchesTests {
    private let recent = RecentBatches()

    private func content(
        _ text: String, encoding: BodyEncoding = .identity, key: String = "a", id: String? = nil
    ) -> RecentBatches.Content {
        RecentBatches.Content(body: ByteBuffer(string: text), encoding: encoding, keyID: key, id: id)
    }

    private func answer(_ number: Int64) -> RecentBatches.Answer {
        let name = ReceiptName(collector: "c", number: number)
        let receipt = Receipt(name: name, installID: "install", batchID: nil, stored: [1...1], highest: 1)
        return .init(receipt: receipt, work: 1, bodyLength: 1)
    }

    @Test("An answer is for the same bytes, encoding, key and id only")
    func contents() {
        let middle = String(repeating: "x", count: 1000)
        recent.add(answer(1), to: content("a\(middle)b\(middle)"), since: 0)
        #expect(recent.answer(to: content("a\(middle)b\(middle)"))?.receipt.name.number == 1)
        // The summary is equal.
        #expect(recent.answer(to: content("a\(middle)c\(middle)")) == nil)
        #expect(recent.answer(to: content("a\(middle)b\(middle)", encoding: .gzip)) == nil)
        #expect(recent.answer(to: content("a\(middle)b\(middle)", key: "b")) == nil)
        #expect(recent.answer(to: content("a\(middle)b\(middle)", id: "c")) == nil)
        recent.removeAll()
        #expect(recent.answer(to: content("a\(middle)b\(middle)")) == nil)
        // The store decided before the erasure.
        recent.add(answer(1), to: content("b"), since: 0)
        #expect(recent.answer(to: content("b")) == nil)
        recent.add(answer(1), to: content("b"), since: recent.forgotten)
        #expect(recent.answer(to: content("b")) != nil)
    }

    @Test("Memory is bounded, and the batch that is used most recently stays")
    func bounded() {
        let first = content("first")
        recent.add(answer(0), to: first, since: 0)
        let size = RecentBatches.maximumBody
        let count = 4 * RecentBatches.maximumBytes / size
        let others = (1...count).map { number in
            content("\(number) " + String(repeating: "x", count: size - 10))
        }
        for (index, other) in others.enumerated() {
            recent.add(answer(Int64(index) + 1), to: other, since: 0)
            #expect(recent.answer(to: first) != nil)
        }
        let kept = others.count { recent.answer(to: $0) != nil }
        #expect(kept > 0 && kept <= RecentBatches.maximumBytes / size)
        let long = content(String(repeating: "x", count: size + 1))
        recent.add(answer(1), to: long, since: 0)
        #expect(recent.answer(to: long) == nil)
    }

    @Test("A batch that arrived twice is not read again; after an erasure, the store decides again")
    func repeated() async throws {
        let folder = try CollectorFolder()
        let sender = SendingInstall("install-a")
        try await folder.serve { collector in
            let body = sender.body(1, 1...3)
            let receipt = try await collector.post(body).receipt()
            func decompressed() async throws -> [String] {
                try await collector.get("/metrics").lines.filter { $0.hasPrefix("collector_decompressed_bytes_total") }
            }
            #expect(try await collector.post(body).receipt() == receipt)
            let before = try await decompressed()
            #expect(before.count == 1)
            for _ in 1...5 { #expect(try await collector.post(body).receipt() == receipt) }
            #expect(try await decompressed() == before)
            _ = try await collector.call(
                "POST", "/v1/erasures", key: folder.adminToken, body: Array(#"{"user_id":"nobody"}"#.utf8))
            #expect(try await collector.post(body).receipt() == receipt)
            #expect(try await decompressed() != before)
        }
    }
}
