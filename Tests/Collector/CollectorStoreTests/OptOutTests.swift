import CollectorFixtures
import DeliveryProtocol
import EventModel
import Testing

@testable import CollectorStore

/// Numbers that a device reports as opted out, before and after their lines arrive.
@Suite("Opted-out numbers")
struct OptOutTests {
    private let folder: DataFolder
    private let phone = Phone("install-a") { $0 % 4 == 0 ? "ada" : "bob" }

    init() throws { folder = try DataFolder() }

    /// Reports numbers as opted out, with the ledger's row, as a log does after a denial.
    private func report(_ number: Int, _ seqs: ClosedRange<Int64>, optedOut: ClosedRange<Int64>) -> Submission {
        phone.batch(
            number, seqs, missing: [.init(optedOut, .optedOut)],
            ledger: [.init(reason: "opted-out", seqs: optedOut, count: Int64(optedOut.count))])
    }

    private func fates(_ store: BatchStore) throws -> [String] {
        try #require(try store.install("install-a")).numbers.map {
            "\($0.seqs.lowerBound)…\($0.seqs.upperBound) \($0.fate.name)"
        }
    }

    @Test(
        "A stored line stays stored; a line that arrives after the report is not stored, also when the index is rebuilt"
    )
    func firstWins() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            let later = try await store.submit(report(2, 1...7, optedOut: 2...6)).receipt
            #expect(later?.missing == [] && later?.duplicates == [1...1])
            // A proxy posts a batch late; an import repeats a line.
            for submission in [phone.batch(3, 4...5), phone.batch(3, 4...5), phone.imported([5])] {
                let receipt = try await store.submit(submission).receipt
                #expect(receipt?.stored == [] && receipt?.missing == [])
                #expect(receipt?.erased.last?.upperBound == 5)
            }
            // The stored line is still known by its bytes.
            #expect(try await store.submit(phone.batch(4, 2...3)).receipt?.duplicates == [2...3])
            #expect(try await store.submit(phone.batch(5, 3...3, variant: "x")).receipt == nil)
            #expect(try fates(store) == ["1…3 stored", "4…6 opted-out", "7…7 stored"])
            #expect(try store.lines(after: .start).lines.map(\.cursor.seq) == [1, 2, 3, 7])
            let completeness = try #require(try store.completeness().first)
            #expect(completeness.explained == 3 && completeness.missing == 0 && completeness.isComplete)
            #expect(
                try store.absences(limit: 1).installs["install-a"] == [.init(4...6, .explained, reason: "opted-out")])
            #expect(try await store.doctor() == [])
        }
        let content = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == content)
    }

    @Test("Expired batches leave the same numbers")
    func retention() async throws {
        try await folder.with({ $0.segmentBytes = 1 }) { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            _ = try await store.submit(report(2, 1...7, optedOut: 2...6))
            _ = try await store.submit(phone.batch(3, 4...5))
            _ = try await store.enforce(StoreRetention(maximumBytes: 1))
            #expect(try await store.submit(phone.batch(4, 5...7)).receipt?.erased == [5...6])
            #expect(try fates(store) == ["1…3 stored", "4…6 opted-out", "7…7 stored"])
        }
        let content = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == content)
    }

    @Test("An erasure is stronger than both, and a line of an erased user counts as erased")
    func erasure() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...4))
            _ = try await store.submit(report(2, 1...12, optedOut: 3...11))
            _ = try await store.submit(phone.batch(3, 3...6, missing: [.init(3...3, .erased), .init(6...6, .erased)]))
            #expect(
                try fates(store) == ["1…2 stored", "3…3 erased", "4…4 stored", "5…5 opted-out", "6…6 erased"]
                    + ["7…11 opted-out", "12…12 stored"])
            _ = try await store.erase(
                phone.erasure(1, of: "ada", through: 12, numbers: [4...4, 10...10]), receivedAt: .init(microseconds: 1))
            #expect(try await store.submit(phone.batch(4, 7...9)).receipt?.erased == [7...9])
            #expect(
                try fates(store) == ["1…2 stored", "3…4 erased", "5…5 opted-out", "6…6 erased", "7…7 opted-out"]
                    + ["8…8 erased", "9…9 opted-out", "10…10 erased", "11…11 opted-out", "12…12 erased"])
        }
        let content = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == content)
    }

    @Test("The stream learns which numbers were opted out, but not of those whose lines are stored here")
    func forwarding() async throws {
        let store = try folder.open()
        _ = try await store.submit(phone.batch(1, 1...3))
        _ = try await store.submit(report(2, 2...7, optedOut: 2...6))
        _ = try await store.submit(phone.batch(3, 4...5))
        let batches = try store.forwardable(after: 0).batches
        #expect(batches.map(\.numbers) == [[1...3], [7...7], []])
        #expect(
            batches.map(\.absent) == [
                [], [.init(seqs: 4...6, fate: .optedOut, reason: "opted-out")],
                [.init(seqs: 4...5, fate: .optedOut, reason: "opted-out")],
            ])
        await store.close()
    }
}
