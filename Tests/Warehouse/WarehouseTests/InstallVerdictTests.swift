import CommandRunner
import DeliveryProtocol
import EventModel
import GRDB
import Primitives
import StreamClient
import Testing

@testable import Warehouse

/// What a loader finds out from the batches of all collectors.
@Suite("Verdicts about installs")
struct InstallVerdictTests {
    private let folder: StateFolder
    private let clock = Locked<Int64>(1_000_000)

    init() throws { folder = try StateFolder() }

    private func open() throws -> PartitionState {
        let clock = self.clock
        return try PartitionState(
            folder: folder.folder.path("state"), partition: 3, stream: "s1", partitions: 16,
            gapAge: .seconds(600), now: { EventTime(microseconds: clock.withLock { $0 }) })
    }

    private func wait(seconds: Int64) { clock.withLock { $0 += seconds * 1_000_000 } }

    private func message(
        _ seqs: ClosedRange<Int64>, _ numbers: [ClosedRange<Int64>], absent: [StreamMessage.AbsentNumbers] = [],
        batch: Int = 1, variant: String = "", secret: [UInt8] = [1, 2]
    ) -> StreamMessage {
        var message = StateFolder.message(numbers, batch: batch, variant: variant, absent: absent)
        (message.seqs, message.secretHash) = (seqs, secret)
        return message
    }

    /// The new verdicts, which are published then.
    private func verdicts(_ state: PartitionState) throws -> [InstallVerdict] {
        let found = try state.unpublishedVerdicts()
        try state.published(found)
        #expect(try state.unpublishedVerdicts().isEmpty)
        return found.map(\.verdict)
    }

    @Test(
        "Numbers that no collector has forwarded are requested after ten minutes, until a batch accounts for them")
    func gaps() throws {
        let state = try open()
        _ = try state.block(1, [message(1...3, [1...3])])
        _ = try state.block(2, [message(10...12, [10...11], absent: [.init(12...12, .dropped)], batch: 2)])
        try state.settleOldGaps()
        #expect(try verdicts(state).isEmpty)
        wait(seconds: 300)
        // A part arrives by another collector; a second gap is younger.
        _ = try state.block(3, [message(4...5, [4...5], batch: 3), message(20...20, [20...20], batch: 4)])
        wait(seconds: 299)
        try state.settleOldGaps()
        #expect(try verdicts(state).isEmpty)
        wait(seconds: 1)
        try state.settleOldGaps()
        var expected = InstallVerdict(installID: "a")
        expected.missing = [6...9]
        #expect(try verdicts(state) == [expected])
        wait(seconds: 300)
        try state.settleOldGaps()
        expected.missing = [6...9, 13...19]
        #expect(try verdicts(state) == [expected])
        // Held and refused numbers are accounted for.
        _ = try state.block(
            4, [message(6...9, [6...6], absent: [.init(7...8, .held), .init(9...9, .refused)], batch: 5)])
        expected.missing = [13...19]
        #expect(try verdicts(state) == [expected])
        _ = try state.block(5, [message(13...19, [13...19], batch: 6)])
        #expect(try verdicts(state) == [InstallVerdict(installID: "a")])
    }

    @Test("Gaps of more installs than one pass settles are requested, even if the oldest ones are never filled")
    func manyGaps() throws {
        let state = try open()
        let installs = (1...1500).map { "install-\($0)" }
        _ = try state.block(
            1,
            installs.map { install in
                var message = StateFolder.message([3...3], of: install)
                message.seqs = 3...3
                return message
            })
        wait(seconds: 600)
        var found: Set<String> = []
        for _ in 1...2 {
            try state.settleOldGaps()
            while case let new = try state.unpublishedVerdicts(), !new.isEmpty {
                found.formUnion(new.map(\.verdict.installID))
                try state.published(new)
            }
        }
        #expect(found.count == installs.count)
    }

    @Test("The verdict about an install with very many gaps and forks fits into a message; the rest follows")
    func largeVerdict() throws {
        let state = try open()
        // The highest numbers that a collector accepts.
        let first: Int64 = (1 << 53) - (1 << 32) - 90_001
        let count = 2 * Int64(InstallVerdict.maximumRanges)
        let numbers = (0..<count).map { first + 2 * $0...first + 2 * $0 }
        let seqs = first...first + 2 * count
        _ = try state.block(1, [message(seqs, numbers)])
        _ = try state.block(2, [message(seqs, numbers, batch: 2, variant: "!")])
        wait(seconds: 600)
        try state.settleOldGaps()
        let verdict = try #require(verdicts(state).last)
        #expect(verdict.missing.count == InstallVerdict.maximumRanges)
        #expect(verdict.forked.count == InstallVerdict.maximumRanges)
        #expect(verdict.payload.count < (1 << 20) - (4 << 10))
        let found = verdict.missing.map { StreamMessage.AbsentNumbers($0, .dropped) }
        _ = try state.block(3, [message(seqs, [], absent: found, batch: 3)])
        let next = try #require(verdicts(state).last)
        #expect(next.missing.first?.lowerBound == (verdict.missing.last?.upperBound ?? 0) + 2)
    }

    @Test("A block writes the account of an install once, whatever number of its messages has")
    func accounts() throws {
        let database = try DatabaseQueue()
        let changes = try database.write { db in
            try PartitionTables.create(in: db)
            var register = try LineRegister(db)
            _ = try register.install("a", secretHash: [1, 2])
            let before = db.totalChangesCount
            let messages = (1...100).map { message(2 * $0...2 * $0, [2 * $0...2 * $0], batch: Int($0)) }
            try InstallAccounts(db).add(messages, at: 0)
            return db.totalChangesCount - before
        }
        #expect(changes == 1)
    }

    @Test("A clone is reported with its numbers, once")
    func forks() throws {
        let state = try open()
        _ = try state.block(1, [message(1...4, [1...4])])
        #expect(try verdicts(state).isEmpty)
        _ = try state.block(2, [message(3...6, [3...6], batch: 2, variant: "!")])
        var expected = InstallVerdict(installID: "a")
        expected.forked = [3...4]
        #expect(try verdicts(state) == [expected])
        _ = try state.block(3, [message(3...6, [3...6], batch: 2, variant: "!")])
        #expect(try verdicts(state).isEmpty)
    }

    @Test("The first secret of an install is the valid one")
    func secrets() throws {
        let state = try open()
        _ = try state.block(1, [message(1...4, [1...4]), message(5...5, [5...5], batch: 2)])
        #expect(try verdicts(state).isEmpty)
        _ = try state.block(2, [message(6...7, [6...7], batch: 3, secret: [9, 9])])
        var expected = InstallVerdict(installID: "a")
        expected.secretHash = [1, 2]
        #expect(try verdicts(state) == [expected])
        // The lines were acknowledged, so they are stored.
        #expect(try state.block(3, [message(6...7, [6...7], batch: 3, secret: [9, 9])]).duplicates == 2)
    }

    @Test("Imports have no gaps; a verdict that was not published is kept")
    func kept() throws {
        var state: PartitionState? = try open()
        var lines = message(1...1, [100...101])
        lines.seqs = nil
        _ = try state?.block(1, [lines])
        _ = try state?.block(
            2, [message(3...4, [3...4], batch: 2), message(4...4, [4...4], batch: 3, variant: "!")])
        wait(seconds: 600)
        try state?.settleOldGaps()
        state = nil
        let again = try open()
        var expected = InstallVerdict(installID: "a")
        (expected.missing, expected.forked) = ([1...2], [4...4])
        #expect(try verdicts(again) == [expected])
        #expect(try InstallVerdict(payload: expected.payload) == expected)
    }
}
