import CollectorFixtures
import DeliveryProtocol
import EventModel
import Foundation
import Primitives
import Testing

@testable import CollectorStore

/// A model of what a store has of one install.
private struct Model {
    static let users = ["ada-7f3a", "ben-7f3a", "cleo-7f3a"]
    static func user(_ seq: Int64) -> String { users[Int(seq) % 3] }

    var stored: Set<Int64> = []
    var erased: Set<Int64> = []
    /// Named by an erasure, and not stored.
    var named: Set<Int64> = []
    /// The user's lines up to this number are not stored.
    var limits: [String: Int64] = [:]
    var highest: Int64 = 0
    /// The first answers, by batch.
    var batches: [Int: (seqs: ClosedRange<Int64>, stored: Set<Int64>, erased: Set<Int64>)] = [:]

    mutating func submit(_ batch: Int, _ seqs: ClosedRange<Int64>) -> (stored: Set<Int64>, erased: Set<Int64>) {
        if let known = batches[batch] {
            return (known.stored.subtracting(erased), known.erased.union(known.stored.intersection(erased)))
        }
        let all = Set(seqs)
        let late = all.subtracting(stored).filter { $0 <= limits[Self.user($0)] ?? 0 }
        erased.formUnion(late)
        let gone = all.intersection(erased)
        stored.formUnion(all.subtracting(gone))
        named.subtract(all)
        highest = max(highest, seqs.upperBound)
        batches[batch] = (seqs, all.subtracting(gone), gone)
        return (all.subtracting(gone), gone)
    }

    /// - Returns: The counts of the receipt: events, marked and kept.
    mutating func erase(_ user: String, through: Int64?, _ numbers: Set<Int64>) -> [Int64] {
        let limit = through ?? max(highest, numbers.max() ?? 0)
        let gone = stored.filter { Self.user($0) == user && $0 <= limit }
        let new = numbers.subtracting(stored).subtracting(erased)
        stored.subtract(gone)
        erased.formUnion(gone)
        named.formUnion(new)
        limits[user] = max(limits[user] ?? 0, limit)
        highest = max(highest, new.max() ?? 0)
        return [gone.count, gone.count + new.count, numbers.intersection(stored).count].map { Int64($0) }
    }
}

@Suite("Random erasures of an install against a model")
struct InstallErasureModelTests {
    private let folder: DataFolder
    private let phone = Phone("install-a", user: { Model.user($0) })

    init() throws { folder = try DataFolder() }

    private func numbers(_ ranges: [ClosedRange<Int64>]) -> Set<Int64> { Set(ranges.flatMap(Array.init)) }

    @Test(
        "Answers and lines equal the model's, across rounds, restarts and rebuilt indexes",
        arguments: 1...12 as ClosedRange<UInt64>)
    func answers(seed: UInt64) async throws {
        var random = SeededGeneratorBox(seed)
        var model = Model()
        func open() throws -> BatchStore { try folder.open { $0.segmentBytes = 3000 } }
        var store = try open()
        for step in 1...120 {
            switch random.number(0...9) {
            case 0...5:
                var batch = step
                let first = Int64(random.number(1...60))
                var seqs = first...first + Int64(random.number(0...12))
                if random.happens(30), let old = model.batches.keys.sorted().randomElement(using: &random.generator),
                    let known = model.batches[old]
                {
                    (batch, seqs) = (old, known.seqs)
                }
                let receipt = try #require(try await store.submit(phone.batch(batch, seqs)).receipt)
                let expected = model.submit(batch, seqs)
                #expect(numbers(receipt.stored) == expected.stored, "seed \(seed), step \(step)")
                #expect(numbers(receipt.erased) == expected.erased, "seed \(seed), step \(step)")
            case 6, 7:
                let user = Model.users[random.number(0...2)]
                let through = random.happens(70) ? Int64(random.number(1...72)) : nil
                let named = Set((0..<random.number(0...9)).map { _ in Int64(random.number(1...Int(through ?? 80))) })
                let request = phone.erasure(
                    step, of: user, through: through, numbers: NumberRanges.ranges(of: named.sorted()))
                let expected = model.erase(user, through: through, named)
                for isRepeat in [false, true] {
                    let outcome = try await store.erase(request, receivedAt: .init(microseconds: 1_000_000))
                    guard case .accepted(let receipt, isRepeat) = outcome else {
                        Issue.record("seed \(seed), step \(step): \(outcome)")
                        return
                    }
                    #expect(
                        [receipt.events, receipt.marked, receipt.kept] == expected, "seed \(seed), step \(step)")
                }
            case 8: _ = try await store.eraseReported()
            default:
                await store.close()
                if random.happens(50) { try folder.removeIndex() }
                store = try open()
                #expect(store.openingFindings == [])
            }
            let lines = try store.lines(after: .start, limit: 1000).lines.map(\.cursor.seq)
            #expect(lines.count == model.stored.count && Set(lines) == model.stored, "seed \(seed), step \(step)")
            let summary = try store.install("install-a")
            #expect(
                numbers(summary?.ranges(.erased) ?? []) == model.erased.union(model.named),
                "seed \(seed), step \(step)")
            #expect(summary?.highest ?? 0 == model.highest)
        }
        _ = try await store.eraseReported()
        #expect(try await store.doctor().filter { $0.severity != .note } == [])
        await store.close()
        let users = Set(model.stored.map { Model.user($0) })
        for user in Model.users where !users.contains(user) {
            for file in try folder.allFiles() {
                #expect(try folder.bytes(file).firstRange(of: Array(user.utf8)) == nil, "\(user) is in \(file)")
            }
        }
        #expect(Set(try folder.storedLines()) == Set(model.stored.map { "install-a \($0) \(phone.line($0))" }))
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }
}
