import DeliveryProtocol
import EventModel
import Testing

@testable import LogMaintenance

@Suite("Comparison of collectors with later stages")
struct StageReconciliationTests {
    private static func line(_ seq: Int64, _ variant: String = "") -> [UInt8] { Array("line \(seq)\(variant)".utf8) }

    private static func hash(_ seq: Int64, _ variant: String = "") -> UInt64 {
        RangeHash(seqs: seq...seq, lines: [line(seq, variant)]).hash
    }

    private func run(_ seqs: ClosedRange<Int64>) -> RangeHash {
        RangeHash(seqs: seqs, lines: seqs.map { Self.line($0) })
    }

    private func summary(_ numbers: [(ClosedRange<Int64>, NumberFate)]) -> InstallSummary {
        InstallSummary(
            installID: "a", firstSeen: .init(microseconds: 1), lastSeen: .init(microseconds: 2),
            highest: numbers.last?.0.upperBound ?? 0,
            numbers: numbers.map { .init(seqs: $0.0, fate: $0.1) }, ledger: [], forks: [])
    }

    private func lines(_ seqs: some Sequence<Int64>, variant: String = "") -> StageLines {
        var lines = StageLines()
        for seq in seqs { lines.add(seq, Self.hash(seq, variant)) }
        return lines
    }

    private func compare(_ lines: StageLines, runs: [RangeHash], _ summary: InstallSummary?) -> StageReconciliation {
        StageReconciliation(.warehouse, name: "w", installID: "a", collector: summary, runs: runs, lines)
    }

    @Test("Equal stages")
    func equal() {
        var all = lines([7, 8, 9, 1, 2, 3, 4, 5, 6])
        all.finish(mergesEqual: false)
        // The runs of two collectors overlap.
        let result = compare(all, runs: [run(1...6), run(7...9), run(4...9)], summary([(1...9, .stored)]))
        #expect(result.isSound && result.count == 9 && result.equalRuns == 3 && result.beyond.isEmpty)
    }

    @Test("A lost, a doubled, a changed and an unknown line are each named")
    func differences() {
        var all = lines([1, 2, 3, 5, 6, 6, 12])
        all.add(7, Self.hash(7, "!"))
        for seq in 8...9 { all.add(Int64(seq), Self.hash(Int64(seq))) }
        all.finish(mergesEqual: false)
        let result = compare(all, runs: [run(1...3), run(4...6), run(7...9)], summary([(1...9, .stored)]))
        #expect(result.missing == [4...4])
        #expect(result.doubled == [6...6])
        #expect(result.different == [7...9])
        #expect(result.beyond == [12...12])
        #expect(result.equalRuns == 1 && !result.isSound)
        // Lines at no collector alone are no loss.
        var more = lines(1...4)
        more.finish(mergesEqual: false)
        #expect(compare(more, runs: [run(1...3)], summary([(1...3, .stored)])).isSound)
    }

    @Test("Erased numbers may be gone on either side; those that are still there are named")
    func erased() {
        var all = lines([1, 2, 5])
        all.erased = [3...3]
        all.finish(mergesEqual: false)
        let result = compare(all, runs: [run(1...3)], summary([(1...3, .stored), (4...5, .erased)]))
        #expect(result.missing.isEmpty && result.beyond.isEmpty && result.equalRuns == 0)
        #expect(result.unerased == [5...5] && !result.isSound)
        var gone = lines([1, 2])
        gone.erased = [3...3]
        gone.finish(mergesEqual: false)
        #expect(compare(gone, runs: [run(1...3)], summary([(1...3, .stored), (4...5, .erased)])).isSound)
    }

    @Test("Numbers that were opted out after a collector stored them are neither missing nor erased upstream")
    func optedOut() throws {
        let merged = try #require(
            InstallSummary.merged([summary([(1...3, .optedOut)]), summary([(1...2, .stored), (3...3, .optedOut)])]))
        #expect(merged.numbers == [.init(seqs: 1...2, fate: .stored), .init(seqs: 3...3, fate: .optedOut)])
        var all = lines([1, 2])
        all.finish(mergesEqual: false)
        let result = compare(all, runs: [run(1...2)], merged)
        #expect(result.isSound && result.beyond.isEmpty && result.equalRuns == 1)
    }

    @Test("A stream has repeated messages; other bytes under a number are lines of a clone")
    func stream() {
        var all = lines([1, 2, 3, 1, 2, 3])
        all.add(2, Self.hash(2, " of a clone"))
        all.add(2, Self.hash(2, " of a clone"))
        all.add(3, Self.hash(3, " of another"))
        all.finish(mergesEqual: true)
        let result = compare(all, runs: [run(1...3)], summary([(1...3, .stored)]))
        #expect(result.isSound && result.forks == 2 && result.count == 3 && result.equalRuns == 1)
    }

    @Test("An install that a stage does not know")
    func unknown() {
        var none = StageLines()
        none.finish(mergesEqual: false)
        #expect(compare(none, runs: [run(1...3)], summary([(1...3, .stored)])).missing == [1...3])
        #expect(compare(none, runs: [], nil).isSound)
    }

    @Test("The summary of several collectors has the highest fate of each number")
    func merged() throws {
        let merged = try #require(
            InstallSummary.merged([
                summary([(1...4, .stored), (5...6, .held), (7...7, .dropped)]),
                summary([(3...3, .erased), (5...5, .stored), (6...6, .refused), (9...9, .stored)]),
            ]))
        #expect(merged.highest == 9 && merged.missing == [8...8])
        #expect(merged.ranges(.stored) == [1...2, 4...5, 9...9])
        #expect(merged.ranges(.erased) == [3...3] && merged.ranges(.held).isEmpty)
        #expect(merged.ranges(.refused) == [6...6] && merged.ranges(.dropped) == [7...7])
        #expect(InstallSummary.merged([]) == nil)
    }
}
