import CollectorFixtures
import DeliveryProtocol
import Testing

@testable import CollectorStore

@Suite("Many threads at a time")
struct ConcurrencyTests {
    @Test("Two senders of the same batches: each is stored once, and both get the same receipts")
    func twoSenders() async throws {
        let folder = try DataFolder()
        let phone = Phone("install-a")
        try await folder.with({ $0.segmentBytes = 10_000 }) { store in
            let answers = try await withThrowingTaskGroup(of: [SubmissionOutcome].self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        var outcomes: [SubmissionOutcome] = []
                        for batch in 0..<100 {
                            outcomes.append(try await store.submit(PlannedBatches.submission(phone, batch)))
                        }
                        return outcomes
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers[0].map(\.receipt) == answers[1].map(\.receipt))
            let repeats = zip(answers[0], answers[1]).map { left, right in
                [left, right].filter { if case .accepted(_, isRepeat: true) = $0 { true } else { false } }.count
            }
            #expect(repeats == Array(repeating: 1, count: 100))
        }
        let last = PlannedBatches.seqs(99).upperBound
        #expect(try folder.storedLines().count == Int(last))
        #expect(Set(try folder.storedLines()).count == Int(last))
    }

    @Test("Overlapping batches under other ids: each number is stored once")
    func overlapping() async throws {
        let folder = try DataFolder()
        let phone = Phone("install-a")
        try await folder.with { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<4 {
                    group.addTask {
                        for batch in 0..<50 {
                            let first = Int64(1 + (batch * 7 + sender * 31) % 300)
                            let outcome = try await store.submit(
                                phone.batch(sender * 1000 + batch, first...first + 20))
                            #expect(outcome.receipt?.stored == [first...first + 20])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let stored = try folder.storedLines()
        #expect(Set(stored).count == stored.count)
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    /// A pool of GRDB must not be closed while reads begin: they would use a closed connection.
    @Test("Reads that begin while a store closes return the stored lines, or the error that it is closed")
    func closing() async throws {
        for _ in 0..<200 {
            let folder = try DataFolder()
            let store = try folder.open()
            _ = try await store.submit(PlannedBatches.submission(Phone("install-a"), 0))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            while true { #expect(try store.lines(after: .start, .init(), limit: 10).lines.count > 0) }
                        } catch {
                            #expect((error as? StoreError)?.code == .closed, "\(error)")
                        }
                    }
                }
                await store.close()
            }
        }
    }
}
