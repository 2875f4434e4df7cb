import CollectorFixtures
import DeliveryProtocol
import Foundation
import GRDB
import Testing

@testable import CollectorStore

@Suite("Receipts, missing numbers and their reasons")
struct ReceiptTests {
    private let folder: DataFolder
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    @Test("The collector keeps its id, and receipts ascend across restarts")
    func names() async throws {
        var names: [ReceiptName] = []
        for batch in 1...3 {
            try await folder.with { store in
                let receipt = try await store.submit(phone.batch(batch, Int64(batch)...Int64(batch))).receipt
                names.append(try #require(receipt).name)
            }
        }
        #expect(names.map(\.number) == [1, 2, 3])
        #expect(Set(names.map(\.collector)).count == 1)
        #expect(names[0].collector.count == 32)
        #expect(try await DataFolder().with { $0.collectorID.description } != names[0].collector)
    }

    @Test("Receipts request missing numbers until they are stored or explained")
    func missing() async throws {
        try await folder.with { store in
            #expect(try await store.submit(phone.batch(1, 4...6)).receipt?.missing == [1...3])
            #expect(try await store.submit(phone.batch(2, 9...9)).receipt?.missing == [1...3, 7...8])
            #expect(try await store.submit(phone.batch(3, 2...2)).receipt?.missing == [1...1, 3...3, 7...8])
            let ledger: [BatchHeader.LedgerRow] = [.init(reason: "evicted", seqs: 7...8, count: 2)]
            #expect(try await store.submit(phone.batch(4, 1...1, ledger: ledger)).receipt?.missing == [3...3])
            let absent: [BatchHeader.MissingRange] = [.init(3...3, .dropped)]
            let last = try await store.submit(phone.batch(5, 3...3, missing: absent)).receipt
            #expect(last?.missing == [])
            #expect(last?.highest == 9)
        }
    }

    @Test("A reason that explains nothing leaves the number missing", arguments: MissingReason.allCases)
    func reasons(reason: MissingReason) async throws {
        try await folder.with { store in
            let receipt = try await store.submit(phone.batch(1, 1...3, missing: [.init(2...2, reason)])).receipt
            #expect(receipt?.missing == (reason == .deliveredEarlier ? [2...2] : []))
            #expect(receipt?.stored == [1...1, 3...3])
        }
    }

    @Test("Precedence: erased > stored > opted-out > refused > dropped > held, in any order of arrival")
    func precedence() async throws {
        let reasons: [MissingReason] = [.held, .dropped, .refused, .optedOut, .erased]
        for (location, reason) in reasons.enumerated() {
            let isFinal = location > 2
            let (before, after) = (try DataFolder(), try DataFolder())
            try await before.with { store in
                _ = try await store.submit(phone.batch(1, 1...1, missing: [.init(1...1, reason)]))
                let receipt = try await store.submit(phone.batch(2, 1...1)).receipt
                #expect(receipt?.stored == (isFinal ? [] : [1...1]))
                #expect(receipt?.erased == (isFinal ? [1...1] : []))
            }
            try await after.with { store in
                _ = try await store.submit(phone.batch(1, 1...1))
                _ = try await store.submit(phone.batch(2, 1...1, missing: [.init(1...1, reason)]))
            }
            let first = "numbers install-a 1 1 \(isFinal ? try #require(NumberFate(reason)).rawValue : 5)"
            #expect(try before.indexContent().contains(first), "\(reason), first")
            let then = "numbers install-a 1 1 \(reason == .erased ? 6 : 5)"
            #expect(try after.indexContent().contains(then), "\(reason), then")
            // Two reasons without a line.
            for other in reasons[..<location] {
                let both = try DataFolder()
                try await both.with { store in
                    _ = try await store.submit(phone.batch(1, 1...1, missing: [.init(1...1, reason)]))
                    _ = try await store.submit(phone.batch(2, 1...1, missing: [.init(1...1, other)]))
                }
                let fate = try #require(NumberFate(reason)).rawValue
                #expect(
                    try both.indexContent().contains("numbers install-a 1 1 \(fate)"), "\(reason) after \(other)")
            }
        }
    }

    @Test("Rejected lines explain their numbers, keep their bytes, and don't affect other lines")
    func rejected() async throws {
        try await folder.with { store in
            let receipt = try await store.submit(phone.batch(1, 1...4, rejecting: [2, 3])).receipt
            #expect(receipt?.stored == [1...1, 4...4])
            #expect(receipt?.missing == [])
            #expect(receipt?.rejected.map(\.line) == [3, 4])
        }
        try folder.forEachBatch { _, batch in
            #expect(batch.rejected.map(\.bytes) == [2, 3].map { Array(phone.line($0).utf8) })
        }
        #expect(
            try folder.indexContent().filter { $0.hasPrefix("numbers") } == [
                "numbers install-a 1 1 5", "numbers install-a 2 3 4", "numbers install-a 4 4 5",
            ])
    }

    @Test("A single query states for each install whether all numbers are stored or explained")
    func completeness() async throws {
        try await folder.with { store in
            _ = try await store.submit(
                phone.batch(
                    1, 1...10, missing: [.init(2...3, .dropped), .init(4...4, .erased), .init(5...5, .held)]))
            _ = try await store.submit(Phone("install-b").batch(1, 3...4))
            _ = try await store.submit(Phone("install-c").batch(1, 1...4, missing: [.init(4...4, .forked)]))
        }
        let queue = try DatabaseQueue(path: folder.file("index.sqlite"))
        let rows = try await queue.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM completeness ORDER BY install").map { row in
                row.map { "\($0.1)" }.joined(separator: " ")
            }
        }
        #expect(
            rows == [
                "\"install-a\" 10 6 3 1 0 0", "\"install-b\" 4 2 0 0 2 0", "\"install-c\" 4 3 1 0 0 1",
            ])
    }

    @Test("The fates of numbers equal a simple model", arguments: 0..<20 as Range<UInt64>)
    func fates(seed: UInt64) throws {
        var random = SeededGeneratorBox(seed)
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { db in
            _ = try IndexSchema.prepare(db, path: "memory")
            let writer = IndexWriter(try IndexConnection(db))
            defer { writer.connection.finish() }
            var install = try writer.installOrNew("a", at: 0)
            var model: [Int64: NumberFate] = [:]
            for _ in 0..<200 {
                let pieces = (0..<random.number(1...4)).map { _ -> IndexWriter.Piece in
                    let first = Int64.random(in: 1...60, using: &random.generator)
                    let last = min(60, first + .random(in: 0...12, using: &random.generator))
                    return (first...last, NumberFate.allCases.randomElement(using: &random.generator) ?? .held)
                }
                try writer.raise(install.id, pieces)
                for (seqs, fate) in pieces {
                    for number in seqs { model[number] = max(model[number] ?? fate, fate) }
                }
                let rows = try writer.numbers(install.id, in: 1...100)
                let found = rows.flatMap { row in row.seqs.map { ($0, row.fate) } }
                #expect(found.map(\.0) == model.keys.sorted())
                #expect(found.map(\.1) == model.keys.sorted().map { model[$0] })
                var fates = writer.fates(of: install.id)
                for number: Int64 in 1...70 { #expect(try fates.row(at: number) == model[number]) }
                for (left, right) in zip(rows, rows.dropFirst()) {
                    #expect(
                        left.seqs.upperBound + 1 < right.seqs.lowerBound || left.fate != right.fate,
                        "not put together")
                }
                install.highest = 61
                let missing = try writer.advance(&install)
                #expect(missing.flatMap { Array($0) } == (1...61).filter { model[$0] == nil })
                #expect(install.completeTo == (missing.first?.lowerBound ?? 62) - 1)
            }
        }
    }

    @Test(
        "The worst header within the limits changes few rows of the index, whatever the fates of its rows",
        arguments: [["dropped"], ["erased"], ["dropped", "opted-out", "forked", "erased"]])
    func worstHeader(reasons: [String]) throws {
        let count = 1000
        let all = 1...Int64(2 * count + 2)
        var frame = BatchFrame(receivedAt: 0, installID: "a", digest: [])
        frame.seqs = all
        for index in 0..<count {
            let seq = Int64(2 * index + 1)
            frame.absent.append(.init(seq...seq, index % 2 == 0 ? .erased : .held))
            frame.ledger.append(.init(reason: reasons[index % reasons.count], seqs: all, count: 1))
        }
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { db in
            _ = try IndexSchema.prepare(db, path: "memory")
            let writer = IndexWriter(try IndexConnection(db))
            defer { writer.connection.finish() }
            for _ in 1...2 {
                let before = db.totalChangesCount
                _ = try writer.applyFacts(of: frame)
                #expect(db.totalChangesCount - before <= 4 * count)
            }
        }
    }
}
