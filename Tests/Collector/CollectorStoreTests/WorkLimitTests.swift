import CollectorFixtures
import DeliveryProtocol
import Testing

@testable import CollectorStore

@Suite("The work of a submission")
struct WorkLimitTests {
    private let phone = Phone("install-a")

    /// Opens a folder whose index has additional rows of the install, which has number 1.
    private func prepared(_ highest: Int64, _ rows: String) async throws -> DataFolder {
        let folder = try DataFolder()
        try await folder.with { _ = try await $0.submit(phone.batch(1, 1...1)) }
        try folder.execute("UPDATE installs SET highest = \(highest); \(rows)")
        return folder
    }

    /// Rows for each second number from a first one on, or for each number.
    private func numbers(from first: Int64, count: Int64, step: Int64, fate: String) -> String {
        """
        WITH RECURSIVE n(seq) AS (SELECT \(first) UNION ALL SELECT seq + \(step) FROM n WHERE seq < \(first + step * (count - 1)))
        INSERT INTO numbers (install, first, last, fate) SELECT 1, seq, seq, \(fate) FROM n;
        """
    }

    @Test("A batch that concerns too many ranges changes nothing; its halves are stored")
    func ranges() async throws {
        let folder = try await prepared(12_003, numbers(from: 5, count: 6000, step: 2, fate: "3"))
        func held(_ id: Int, _ seqs: ClosedRange<Int64>) -> Submission {
            phone.batch(id, seqs, missing: [.init(seqs, .held)])
        }
        try await folder.with { store in
            let before = try store.completeness()
            #expect(await store.failure(of: held(2, 4...12_004)) == .tooMuchWork)
            #expect(try store.completeness() == before)
            for (id, seqs) in [(3, 4...6004), (4, 6005...12_004)] as [(Int, ClosedRange<Int64>)] {
                let receipt = try await store.submit(held(id, seqs)).receipt
                #expect(receipt != nil)
            }
            #expect(try await store.submit(phone.batch(5, 2...3)).receipt?.missing == [])
        }
    }

    @Test("Lines of too many stored batches are not compared; those of half as many are")
    func hashes() async throws {
        let folder = try await prepared(
            2400,
            """
            INSERT INTO numbers (install, first, last, fate) VALUES (1, 3, 2400, 5);
            WITH RECURSIVE n(seq) AS (SELECT 3 UNION ALL SELECT seq + 2 FROM n WHERE seq < 2399)
            INSERT INTO runs (install, first, last, receipt, ordinal, hash) SELECT 1, seq, seq, seq, 0, 0 FROM n;
            INSERT INTO hashes (receipt, bytes) SELECT receipt, zeroblob(40000) FROM runs WHERE first > 1;
            """)
        func odd(_ id: Int, _ seqs: ClosedRange<Int64>) -> Submission {
            phone.batch(id, seqs, missing: seqs.filter { $0 % 2 == 0 }.map { .init($0...$0, .held) })
        }
        try await folder.with { store in
            #expect(await store.failure(of: odd(2, 3...2399)) == .tooMuchWork)
            guard case .fork(_, let forked) = try await store.submit(odd(3, 3...999)) else {
                Issue.record("the lines differ from the stored ones")
                return
            }
            #expect(forked.count == 499)
        }
    }

    @Test("Missing numbers behind many ranges are requested once the earlier ones are settled")
    func missing() async throws {
        let folder = try await prepared(12_010, numbers(from: 3, count: 12_000, step: 1, fate: "3 + seq % 2"))
        try await folder.with { store in
            var missing: [[ClosedRange<Int64>]?] = []
            for (id, seq) in [(2, 12_011), (3, 12_012), (4, 2)] as [(Int, Int64)] {
                missing.append(try await store.submit(phone.batch(id, seq...seq)).receipt?.missing)
            }
            #expect(missing == [[2...2], [2...2], [12_003...12_010]])
        }
    }

    @Test("Ledger rows count as ranges, and so do those that were added since the first count")
    func tooManyRows() async throws {
        let most = IndexWriter.maximumRanges
        let folder = try await prepared(
            1,
            """
            WITH RECURSIVE n(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < \(most - 3))
            INSERT INTO ledger (install, reason, first, last, count) SELECT 1, 'r' || seq, 0, 0, 1 FROM n;
            """)
        func row(_ id: Int, _ reason: String) -> Submission {
            phone.batch(
                id, 2...2, missing: [.init(2...2, .dropped)], ledger: [.init(reason: reason, seqs: nil, count: 1)])
        }
        try await folder.with { store in
            // Together with two ranges of numbers: as many as the limit, then one more.
            var outcomes: [SubmissionOutcome] = []
            for batch in [row(2, "a"), row(3, "b"), row(4, "c"), phone.batch(5, 3...4)] {
                outcomes.append(try await store.submit(batch))
            }
            #expect(outcomes.map { $0.receipt == nil } == [false, false, true, false])
            #expect(outcomes[2] == .tooManyRanges)
        }
    }
}
