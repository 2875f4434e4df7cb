import CollectorFixtures
import DeliveryProtocol
import Testing

@testable import CollectorStore

/// What a forwarder reads from a store.
@Suite("Forwarded batches")
struct ForwardingTests {
    private let folder: DataFolder
    private let phone = Phone("install-a") { $0 % 2 == 0 ? "even" : "odd" }

    init() throws { folder = try DataFolder() }

    private func text(_ seqs: [Int64]) -> [UInt8] { Array(seqs.map { phone.line($0) + "\n" }.joined().utf8) }

    @Test("Lines with their numbers, and a reason for each other number")
    func content() async throws {
        let store = try folder.open()
        _ = try await store.submit(
            phone.batch(
                1, 1...10,
                missing: [
                    .init(2...2, .held), .init(3...4, .dropped), .init(5...5, .erased),
                    .init(10...10, .deliveredEarlier),
                ],
                ledger: [.init(reason: "evicted", seqs: 3...3, count: 1)], rejecting: [6]))
        let (batches, next) = try store.forwardable(after: 0)
        let batch = try #require(batches.first)
        #expect(batches.count == 1 && next == 1 && batch.receipt == 1 && batch.seqs == 1...10)
        #expect(batch.numbers == [1...1, 7...9] && batch.text == text([1, 7, 8, 9]))
        #expect(
            batch.absent == [
                .init(seqs: 2...2, fate: .held, reason: "held"),
                .init(seqs: 3...3, fate: .dropped, reason: "evicted"),
                .init(seqs: 4...4, fate: .dropped, reason: "dropped"),
                .init(seqs: 5...5, fate: .erased, reason: "erased"),
                .init(seqs: 6...6, fate: .refused, reason: "schema"),
            ])
        #expect(batch.secretHash.count == 32 && batch.batchID != nil && !batch.isEmpty)
        #expect(try store.forwardable(after: 1).batches.isEmpty && store.forwardable(after: 1).next == 1)
        await store.close()
    }

    @Test("Lines that were stored before are not forwarded again")
    func duplicates() async throws {
        let store = try folder.open()
        _ = try await store.submit(phone.batch(1, 1...3))
        _ = try await store.submit(phone.batch(2, 2...5))
        _ = try await store.submit(phone.batch(3, 1...5))
        let batches = try store.forwardable(after: 0).batches
        #expect(batches.map(\.numbers) == [[1...3], [4...5], []])
        #expect(batches.map(\.isEmpty) == [false, false, true])
        await store.close()
    }

    @Test("Erased lines are forwarded as erased numbers, before and after their bytes are gone")
    func erased() async throws {
        let store = try folder.open()
        _ = try await store.submit(phone.batch(1, 1...4))
        _ = try await store.erase(user: "even")
        let batch = try #require(try store.forwardable(after: 0).batches.first)
        #expect(batch.numbers == [1...1, 3...3] && batch.text == text([1, 3]))
        #expect(batch.absent.map(\.seqs) == [2...2, 4...4] && batch.absent.allSatisfy { $0.fate == .erased })
        await store.close()
    }

    @Test("Retention keeps what is not forwarded, whatever its limits are")
    func retention() async throws {
        let store = try folder.open { $0.segmentBytes = 1 }
        for batch in 1...6 {
            let first = Int64(batch) * 10
            _ = try await store.submit(phone.batch(batch, first...first + 9))
        }
        let bytes = try store.bytesOfSegments()
        var retention = StoreRetention(maximumBytes: 1)
        retention.keepsAfter = 3
        let report = try await store.enforce(retention)
        #expect(report.segments == 3)
        #expect(try store.forwardable(after: 3).batches.map(\.receipt) == [4, 5, 6])
        #expect(try store.bytesOfSegments() < bytes)
        retention.keepsAfter = nil
        #expect(try await store.enforce(retention).segments > 0)
        await store.close()
    }

    @Test("What retention itself writes does not use up the quota once everything is forwarded")
    func quotaAfterForwarding() async throws {
        let store = try folder.open { $0.segmentBytes = 2048 }
        for batch in 1...100 {
            let first = Int64(batch) * 10 - 9
            _ = try await store.submit(phone.batch(batch, first...first + 9))
        }
        var retention = StoreRetention(maximumBytes: 4096)
        retention.keepsAfter = 100
        for _ in 1...5 { try await store.enforce(retention) }
        #expect(try store.bytesOfSegments() <= 4096 + 2048)
        #expect(try store.install("install-a")?.ranges(.stored) == [1...1000])
        #expect(try await store.doctor() == [])
        await store.close()
    }

    @Test("A batch of an install that is forked elsewhere is a fork, except for a known batch and known lines")
    func forkedElsewhere() async throws {
        let store = try folder.open()
        let first = try await store.submit(phone.batch(1, 1...4)).receipt
        func forked(_ batch: Int, _ seqs: ClosedRange<Int64>) async throws -> SubmissionOutcome {
            var submission = phone.batch(batch, seqs)
            submission.isForkedElsewhere = true
            return try await store.submit(submission)
        }
        #expect(try await forked(1, 1...4) == .accepted(try #require(first), isRepeat: true))
        #expect(try await forked(2, 3...6) == .fork(acknowledged: [3...4], forked: [5...6]))
        #expect(try store.install("install-a")?.ranges(.stored) == [1...4])
        // An install that is unknown here.
        var other = Phone("install-b").batch(1, 1...2)
        other.isForkedElsewhere = true
        #expect(try await store.submit(other) == .fork(acknowledged: [], forked: [1...2]))
        await store.close()
    }

    @Test("One of several collectors does not request what others may have")
    func missing() async throws {
        for (requests, expected) in [(true, [1...4]), (false, [])] as [(Bool, [ClosedRange<Int64>])] {
            let folder = try DataFolder()
            let store = try folder.open { $0.requestsMissing = requests }
            let receipt = try await store.submit(phone.batch(1, 5...6)).receipt
            #expect(receipt?.missing == expected)
            await store.close()
        }
    }
}
