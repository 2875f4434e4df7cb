import DeliveryProtocol
import EventModel
import Testing

@testable import LogMaintenance

/// A log's numbers compared with a collector's.
@Suite("Reconciliation")
struct ReconciliationTests {
    private static func line(_ seq: Int64, _ text: String = "") -> [UInt8] { Array("{\"seq\":\(seq)\(text)}".utf8) }

    private static func run(_ seqs: ClosedRange<Int64>, _ text: String = "") -> RangeHash {
        RangeHash(seqs: seqs, lines: seqs.map { line($0, text) })
    }

    /// A device that has assigned numbers up to one, has delivered all of them, and has their lines.
    private func device(through highest: Int64, runs: [ClosedRange<Int64>] = []) -> DeviceAccount {
        var device = DeviceAccount(installID: "a", highest: highest, covered: highest)
        device.lines = highest > 0 ? [1...highest] : []
        device.hashes = runs.map { Self.run($0) }
        return device
    }

    private func collector(_ numbers: [(ClosedRange<Int64>, NumberFate)], highest: Int64 = 10) -> InstallSummary {
        InstallSummary(
            installID: "a", firstSeen: EventTime(seconds: 1), lastSeen: EventTime(seconds: 2), highest: highest,
            numbers: numbers.map { .init(seqs: $0.0, fate: $0.1) }, ledger: [], forks: [])
    }

    /// Every number is in exactly one class.
    private func isPartition(_ result: Reconciliation) -> Bool {
        let classes =
            [result.stored, result.held, result.waiting, result.forked, result.unexplained]
            + result.explained.map(\.seqs)
        return classes.flatMap { $0.flatMap(Array.init) }.sorted()
            == Array(stride(from: 1, through: result.highest, by: 1))
    }

    @Test("delivered and stored numbers are sound, in any order of the runs")
    func sound() {
        let runs = [1...3, 4...4, 5...10].map { Self.run($0) }
        for runs in [runs, runs.reversed()] {
            let result = Reconciliation(
                device(through: 10, runs: [1...3, 4...4, 5...10]), collector: collector([(1...10, .stored)]),
                runs: [runs]
            )
            #expect(result.isSound && result.isKnown && isPartition(result))
            #expect(result.stored == [1...10] && result.equalRuns == 3 && result.uncomparedRuns == 0)
        }
        let none = Reconciliation(device(through: 0), collector: nil, runs: [])
        #expect(none.isSound && !none.isKnown && none.stored.isEmpty)
    }

    @Test("a number that was delivered and is not at the collector is lost, with or without its line in the log")
    func loss() {
        let summary = collector([(1...3, .stored), (6...10, .stored)])
        let result = Reconciliation(device(through: 10), collector: summary, runs: [])
        #expect(result.unexplained == [4...5] && !result.isSound && isPartition(result))
        var pruned = device(through: 10)
        pruned.lines = []
        #expect(Reconciliation(pruned, collector: summary, runs: []).unexplained == [4...5])
        // A collector that has lost the install completely.
        let gone = Reconciliation(device(through: 10), collector: nil, runs: [])
        #expect(gone.unexplained == [1...10] && !gone.isKnown)
    }

    @Test("an undelivered number with its line on the device is waiting; without its line it is lost")
    func waiting() {
        var device = device(through: 10)
        device.covered = 6
        device.undelivered = [3...3, 7...1_000_000]
        var result = Reconciliation(device, collector: collector([(1...2, .stored), (4...6, .stored)]), runs: [])
        #expect(result.waiting == [3...3, 7...10] && result.isSound && isPartition(result))
        device.lines = [1...2, 7...8]
        result = Reconciliation(device, collector: collector([(1...2, .stored), (4...6, .stored)]), runs: [])
        #expect(result.waiting == [7...8] && result.unexplained == [3...3, 9...10])
        // Numbers that are not in the database yet are not lost.
        device.settled = 8
        result = Reconciliation(device, collector: collector([(1...6, .stored)]), runs: [])
        #expect(result.waiting == [7...10] && result.unexplained.isEmpty)
        // Numbers stored since the log was read count as stored.
        result = Reconciliation(device, collector: collector([(1...8, .stored)]), runs: [])
        #expect(result.stored == [1...8] && result.waiting == [9...10])
    }

    @Test("erased > stored > opted-out > refused or dropped > held, on either side")
    func precedence() {
        var device = device(through: 10)
        device.undelivered = [9...10]
        device.held = [7...10]
        device.losses = [
            .init("erased", fate: .erased, seqs: [1...1]), .init("evicted", fate: .dropped, seqs: [2...3]),
            .init("refused", fate: .refused, seqs: [4...4]),
        ]
        let result = Reconciliation(
            device,
            collector: collector([
                (1...2, .stored), (3...3, .held), (5...5, .erased), (6...6, .refused), (7...7, .stored), (8...8, .held),
                (9...9, .held),
            ]), runs: [])
        #expect(isPartition(result) && result.isSound)
        #expect(result.stored == [2...2, 7...7])
        #expect(result.held == [8...10])
        #expect(result.explained.map(\.reason) == ["erased", "refused", "evicted"])
        #expect(result.explained.map(\.seqs) == [[1...1, 5...5], [4...4, 6...6], [3...3]])
    }

    @Test("an opt-out before the receipt leaves the numbers stored; the others are explained, on either side")
    func optedOut() {
        var device = device(through: 10)
        device.lines = [1...2, 9...10]
        device.losses = [.init("opted-out", fate: .optedOut, seqs: [3...8])]
        let result = Reconciliation(
            device,
            collector: collector([(1...4, .stored), (5...6, .optedOut), (7...7, .dropped), (9...10, .stored)]),
            runs: [[Self.run(1...4)]])
        #expect(isPartition(result) && result.isSound)
        #expect(result.stored == [1...4, 9...10] && result.uncomparedRuns == 1)
        #expect(result.deniedLater == [3...4])
        #expect(result.explained.map(\.reason) == ["opted-out"] && result.explained.map(\.seqs) == [[5...8]])
    }

    @Test("a number that the collector counts as held, but the device no longer has, is lost")
    func lostWhileHeld() {
        var device = device(through: 10)
        device.lines = [1...4]
        let result = Reconciliation(device, collector: collector([(1...4, .stored), (5...10, .held)]), runs: [])
        #expect(result.unexplained == [5...10] && result.held.isEmpty)
    }

    @Test("a different hash names its run; a run whose lines the log no longer has is only counted")
    func hashes() {
        let summary = collector([(1...10, .stored)])
        var changed = Self.run(4...6)
        changed.hash &+= 1
        let runs = [Self.run(1...3), changed, Self.run(7...10)]
        let result = Reconciliation(device(through: 10, runs: [1...3, 4...6]), collector: summary, runs: [runs])
        #expect(result.differentRuns == [4...6] && !result.isSound && result.unexplained.isEmpty)
        #expect(result.equalRuns == 1 && result.uncomparedRuns == 1)
        // Two lines whose contents are swapped have another sum than two that are just out of order.
        let swapped = RangeHash(seqs: 1...2, lines: [Self.line(1, ",\"x\":2"), Self.line(2, ",\"x\":1")])
        let straight = RangeHash(seqs: 1...2, lines: [Self.line(2, ",\"x\":2"), Self.line(1, ",\"x\":1")])
        #expect(swapped.hash != straight.hash)
        let reversed = RangeHash(seqs: 1...2, lines: [Self.line(1, ",\"x\":1"), Self.line(2, ",\"x\":2")])
        #expect(straight.hash == reversed.hash)
    }

    @Test("the hash of a range is the sum of the first eight bytes, little-endian, of each line's SHA-256")
    func hash() {
        // sha256sum of "a" is ca978112ca1bbdca…, of "b" 3e23e8160039594a…
        #expect(RangeHash(seqs: 1...1, lines: [Array("a".utf8)]).hash == 0xCABD_1BCA_1281_97CA)
        let both: UInt64 = 0xCABD_1BCA_1281_97CA &+ 0x4A59_3900_16E8_233E
        #expect(RangeHash(seqs: 1...2, lines: [Array("b".utf8), Array("a".utf8)]).hash == both)
    }

    @Test("a number in two runs is stored twice")
    func duplicates() {
        let runs = [Self.run(1...5), Self.run(4...8), Self.run(9...10), Self.run(9...9)]
        let result = Reconciliation(device(through: 10), collector: collector([(1...10, .stored)]), runs: [runs])
        #expect(result.repeated == [4...5, 9...9] && !result.isSound)
    }

    @Test("numbers above the device's highest are reported: the log is a copy, or an older one")
    func beyond() {
        let summary = collector([(1...14, .stored)], highest: 14)
        var device = device(through: 10)
        let result = Reconciliation(device, collector: summary, runs: [[Self.run(9...14)]])
        #expect(result.beyond == [11...14] && result.stored == [1...10] && result.uncomparedRuns == 1)
        // An install that has ended here continues on another device.
        device.isNewest = false
        #expect(Reconciliation(device, collector: summary, runs: []).beyond.isEmpty)
    }

    @Test("numbers that a fork has renumbered are forked, whatever another device stored under them")
    func fork() {
        var former = device(through: 5, runs: [1...2, 3...5])
        former.isNewest = false
        former.forked = [3...3, 5...5]
        let result = Reconciliation(
            former, collector: collector([(1...9, .stored)]),
            runs: [[Self.run(1...2), Self.run(3...5, ",\"other\":1"), Self.run(6...9)]])
        #expect(result.stored == [1...2, 4...4] && result.forked == [3...3, 5...5] && result.isSound)
        #expect(result.equalRuns == 1 && result.uncomparedRuns == 1 && isPartition(result))
    }

    @Test("a delivered copy that is missing at the collector is lost; another consumer's is forked")
    func copies() {
        var device = DeviceAccount(installID: "b", highest: 6, covered: 4)
        device.copies = [1...2, 5...6]
        device.lines = [3...4, 6...6]
        device.undelivered = [5...100]
        let result = Reconciliation(device, collector: collector([(1...1, .stored), (3...4, .stored)]), runs: [])
        #expect(result.unexplained == [2...2] && result.forked == [5...5] && result.waiting == [6...6])
        let told = Reconciliation(device, collector: collector([(1...2, .forked), (3...4, .stored)]), runs: [])
        #expect(told.forked == [1...2, 5...5] && told.isSound && isPartition(told))
    }
}
