import CollectorFixtures
import DeliveryProtocol
import EventModel
import Testing

@testable import CollectorStore

@Suite("Verdicts on the lines of a batch")
struct VerdictTests {
    private let folder: DataFolder
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    @Test("A new batch is stored and gets a receipt")
    func newBatch() async throws {
        try await folder.with { store in
            let outcome = try await store.submit(phone.batch(1, 1...10))
            #expect(
                outcome
                    == .accepted(
                        Receipt(
                            name: ReceiptName(collector: store.collectorID.description, number: 1),
                            installID: "install-a", batchID: Phone.id(1), stored: [1...10], highest: 10),
                        isRepeat: false))
        }
        let expected = (1...10 as ClosedRange<Int64>).map { "install-a \($0) \(phone.line($0))" }
        #expect(try folder.storedLines() == expected)
    }

    @Test(
        "The same id with the same body gets the same receipt, even if last receipt and ledger differ"
    )
    func retry() async throws {
        try await folder.with { store in
            let first = try await store.submit(phone.batch(1, 1...10, rejecting: [4]))
            // The server has other schemas now, and another time.
            let again = try await store.submit(
                phone.batch(1, 1...10, receipt: ReceiptName(collector: "x", number: 9), at: 2_000_000))
            #expect(first.receipt?.rejected.map(\.seq) == [4])
            #expect(again == .accepted(try #require(first.receipt), isRepeat: true))
        }
        #expect(try folder.storedLines().count == 9)
    }

    @Test("New ledger rows in a retry are stored, and the receipt stays the same")
    func retryWithLedger() async throws {
        try await folder.with { store in
            let first = try await store.submit(phone.batch(1, 1...3))
            let ledger: [BatchHeader.LedgerRow] = [.init(reason: "runaway", seqs: nil, count: 7)]
            let again = try await store.submit(phone.batch(1, 1...3, ledger: ledger))
            #expect(again == .accepted(try #require(first.receipt), isRepeat: true))
            _ = try await store.submit(phone.batch(1, 1...3, ledger: ledger))
        }
        #expect(
            try folder.indexContent().filter { $0.hasPrefix("ledger") } == ["ledger install-a runaway 0 0 7 0 0"])
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test(
        "The same id with another body is rejected, and changes nothing",
        arguments: ["lines", "range", "missing"])
    func keyReused(difference: String) async throws {
        let other =
            switch difference {
            case "lines": phone.batch(1, 1...10, variants: [10: "other"])
            case "range": phone.batch(1, 1...11)
            default: phone.batch(1, 1...10, missing: [.init(10...10, .dropped)])
            }
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            #expect(try await store.submit(other) == .keyReused)
            #expect(try await store.submit(phone.batch(2, 11...11)).receipt?.name.number == 2)
        }
        #expect(try folder.storedLines().count == 11)
    }

    @Test("Numbers stored with the same bytes are duplicates; the others are stored")
    func duplicates() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 3...6))
            let receipt = try await store.submit(phone.batch(2, 1...8)).receipt
            #expect(receipt?.stored == [1...8])
            #expect(receipt?.duplicates == [3...6])
            #expect(receipt?.missing == [])
        }
        #expect(
            try folder.storedLines().map { $0.split(separator: " ")[1] } == [
                "3", "4", "5", "6", "1", "2", "7", "8",
            ])
    }

    @Test("A number with different bytes is a fork, which lists equal numbers and changes nothing")
    func fork() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...6))
            let outcome = try await store.submit(phone.batch(2, 3...9, variants: [5: "clone", 6: "clone"]))
            #expect(outcome == .fork(acknowledged: [3...4], forked: [5...6]))
            // 7 to 9 were not stored, and were not announced.
            let next = try await store.submit(phone.batch(3, 7...7)).receipt
            #expect(next?.highest == 7)
            #expect(next?.duplicates == [])
        }
        #expect(try folder.storedLines().count == 7)
    }

    @Test("A repeated fork is stored once")
    func forkIsNoted() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...6))
            for batch in 2...4 { _ = try await store.submit(phone.batch(batch, 6...7, variant: "clone")) }
        }
        #expect(try folder.indexContent().filter { $0.hasPrefix("fork") }.count == 1)
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }

    @Test("The first batch sets the secret; another secret is rejected, and changes nothing")
    func installTaken() async throws {
        let thief = Phone("install-a", secret: String(repeating: "0", count: 32))
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            #expect(try await store.submit(thief.batch(2, 4...5)) == .installTaken)
            // Not even a batch that is known is answered.
            #expect(try await store.submit(thief.batch(1, 1...3)) == .installTaken)
            #expect(try await store.submit(phone.batch(2, 4...4)).receipt?.highest == 4)
        }
        #expect(try folder.storedLines().count == 4)
        // The secret is nowhere, only its digest.
        let secret = Array(phone.secret.utf8)
        for file in try folder.allFiles() {
            #expect(try folder.bytes(file).firstRange(of: secret) == nil, "\(file)")
        }
    }

    @Test("Imported lines set no secret, need none, and are compared by their bytes")
    func imports() async throws {
        try await folder.with { store in
            let first = try await store.submit(phone.imported([2, 3, 7]))
            #expect(first.receipt?.batchID == nil)
            #expect(first.receipt?.stored == [2...3, 7...7])
            #expect(first.receipt?.missing == [1...1, 4...6])
            #expect(try await store.submit(phone.batch(1, 1...4)).receipt?.duplicates == [2...3])
            #expect(try await store.submit(phone.imported([1, 5])).receipt?.duplicates == [1...1])
            #expect(
                try await store.submit(phone.imported([1, 2], variant: "x"))
                    == .fork(acknowledged: [], forked: [1...2]))
        }
    }

    @Test("An imported install accepts its first batch only from a client that has one of the imported lines")
    func importedInstall() async throws {
        let thief = Phone("install-a", secret: String(repeating: "0f", count: 16))
        try await folder.with { store in
            _ = try await store.submit(phone.imported([2, 3]))
            #expect(try await store.submit(thief.batch(1, 4...6)) == .installTaken)
            #expect(try await store.submit(thief.batch(2, 2...4, variant: "x")) == .installTaken)
            let held = [BatchHeader.MissingRange(4...4, .held)]
            #expect(try await store.submit(thief.batch(3, 4...4, missing: held)) == .installTaken)
            #expect(try await store.submit(phone.batch(4, 3...5)).receipt?.stored == [3...5])
            #expect(try await store.submit(thief.batch(5, 2...3)) == .installTaken)
            #expect(try await store.submit(phone.batch(6, 6...7)).receipt?.missing == [1...1])
        }
    }

    @Test("Batch ids are separate for each install")
    func keysByInstall() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...2))
            let other = try await store.submit(Phone("install-b").batch(1, 1...3))
            #expect(other.receipt?.stored == [1...3])
        }
    }

    @Test("An inconsistent submission is rejected", arguments: ["order", "range", "body", "size"])
    func invalid(what: String) async throws {
        var submission = phone.batch(1, 5...9)
        let bytes = what == "body" ? 0..<100_000 : 0..<1
        submission.accept(
            seq: what == "order" ? 9 : what == "range" ? 10 : 9, number: 99, bytes: bytes,
            time: .init(microseconds: 0), user: "u", schema: "s/1-0-0")
        let wrong =
            what == "size"
            ? Submission(
                submission.origin, receivedAt: submission.receivedAt,
                body: [UInt8](repeating: 0, count: PreparedSubmission.maximumBody + 1)) : submission
        try await folder.with { store in
            await #expect(throws: StoreError.self) { try await store.submit(wrong) }
            let right = try await store.submit(phone.batch(1, 5...9))
            #expect(right.receipt?.stored == [5...9])
        }
    }

    @Test("An install with too many ranges gets no more of them; batches that continue its numbers are stored")
    func tooManyRanges() async throws {
        try await folder.with { _ = try await $0.submit(phone.batch(1, 1...1)) }
        try folder.execute(
            """
            WITH RECURSIVE n(seq) AS (SELECT 5 UNION ALL SELECT seq + 2 FROM n WHERE seq < \(5 + 2 * IndexWriter.maximumRanges))
            INSERT INTO numbers (install, first, last, fate) SELECT 1, seq, seq, 3 FROM n
            """)
        try await folder.with { store in
            for batch in [
                phone.batch(2, 3...3), phone.batch(2, 2...3, missing: [.init(3...3, .held)]),
                phone.batch(2, 2...2, ledger: [.init(reason: "evicted", seqs: 3...3, count: 1)]),
                phone.batch(2, 2...3, rejecting: [3]),
            ] {
                let outcome = try await store.submit(batch)
                #expect(outcome == .tooManyRanges && outcome.problem?.code == .overQuota)
                #expect(outcome.problem?.detail.contains("100000 ranges") == true)
            }
            let erasure = phone.erasure(1, of: "user", numbers: [1...1])
            #expect(try await store.erase(erasure, receivedAt: .init(microseconds: 1)) == .tooManyRanges)
            #expect(try await store.submit(phone.batch(2, 2...3)).receipt?.stored == [2...3])
            // Retries, too.
            #expect(try await store.submit(phone.batch(1, 1...1)).receipt?.stored == [1...1])
        }
    }
}
