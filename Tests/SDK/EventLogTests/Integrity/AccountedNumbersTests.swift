import EventModel
import GRDB
import Primitives
import Testing

@testable import EventLog

@Suite("Numbers accounted for in the ledger")
struct AccountedNumbersTests {
    /// Ranges of the ledger, which may overlap, and the numbers in them. There are enough for several marks. The
    /// distances need one to three bytes, and include the values at which they need another byte.
    private struct Ledger {
        var ranges: [ClosedRange<Int64>] = []
        var numbers: Set<Int64> = []

        init(count: Int, seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var next: Int64 = 1
            for _ in 0..<count {
                let distance =
                    [0, 0, 1, 2, 3, 127, 128, 129, 200, 16_383, 16_384, 20_000].randomElement(using: &random) ?? 0
                let length = [1, 1, 2, 127, 128, 129, 130, 300].randomElement(using: &random) ?? 1
                // Sometimes it starts within the previous range.
                let first = max(
                    1, next + Int64(distance) - (distance == 0 ? Int64.random(in: 0...3, using: &random) : 0))
                ranges.append(first...first + Int64(length) - 1)
                next = max(next, first + Int64(length))
                numbers.formUnion(ranges[ranges.count - 1])
            }
        }

        func accounted() throws -> AccountedNumbers {
            let queue = try DatabaseQueue()
            return try queue.inDatabase { db in
                try DatabaseSchema.createIfEmpty(db) { "install" }
                for (index, range) in ranges.enumerated() {
                    try db.execute(
                        sql:
                            "INSERT OR REPLACE INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES (?, '', ?, ?, ?)",
                        arguments: ["reason-\(index % 5)", range.lowerBound, range.upperBound, range.count])
                }
                return try AccountedNumbers(db)
            }
        }
    }

    @Test("give the same counts and missing numbers as a set", arguments: [0, 1, 7, 700])
    func sets(count: Int) throws {
        let ledger = Ledger(count: count, seed: UInt64(count) + 15)
        let accounted = try ledger.accounted()
        let highest = (ledger.numbers.max() ?? 0) + 5
        #expect(accounted.count(in: 1...highest) == Int64(ledger.numbers.count))
        var random = SplitMix64(seed: 3)
        var windows = (0..<300).map { _ in
            let first = Int64.random(in: 1...highest, using: &random)
            return first...min(highest, first + Int64.random(in: 0...500, using: &random))
        }
        // Every edge of a range.
        for range in ledger.ranges.prefix(60) {
            windows += [
                range, range.lowerBound...range.upperBound + 1, max(1, range.lowerBound - 1)...range.lowerBound,
            ]
        }
        for window in windows {
            let inside = window.filter(ledger.numbers.contains)
            #expect(accounted.count(in: window) == Int64(inside.count), "\(window)")
            let missing = accounted.missing(of: window)
            #expect(missing.flatMap { Array($0) } == window.filter { !ledger.numbers.contains($0) }, "\(window)")
            #expect(zip(missing, missing.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound }, "\(window)")
            let first = (window.lowerBound...).first { !ledger.numbers.contains($0) }
            #expect(accounted.firstMissing(from: window.lowerBound) == first, "\(window)")
        }
    }

    @Test("end at the highest event number")
    func highest() throws {
        let accounted = try Ledger(count: 0, seed: 1).accounted()
        #expect(accounted.firstMissing(from: EventRecord.highestSeq) == EventRecord.highestSeq)
        #expect(accounted.firstMissing(from: EventRecord.highestSeq + 1) == nil)
    }
}
