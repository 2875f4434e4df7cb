import CommandRunner
import EventLog
import GRDB
import Testing

@testable import LogMaintenance

@Suite("Numbers")
struct NumberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The numbers accounted for by a ledger with these ranges.
    private func account(_ ranges: [ClosedRange<Int64>]) async throws -> AccountedNumbers {
        let path = folder.path("a.sqlite")
        let store = try SQLiteEventStore(path: path, options: .init(installID: { "install-a" }))
        try await store.close()
        let database = try DatabaseQueue(path: path)
        try await database.write { db in
            for range in ranges {
                try db.execute(
                    sql: """
                        INSERT INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES ('erased', '', ?, ?, 1)
                        """,
                    arguments: [range.lowerBound, range.upperBound])
            }
            try db.execute(
                sql: """
                    INSERT INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES
                        ('refused', 'http', 1, 1000000, 1), ('runaway', '', 0, 0, 7)
                    """)
        }
        try database.close()
        return try DatabaseExamination(path: path).lostNumbers()
    }

    @Test("The missing numbers of a range are those that no row of the ledger covers")
    func missing() async throws {
        let account = try await account([3...5, 6...6, 10...20, 12...14, 300...5_000_000_000])
        #expect(account.missing(of: 1...30) == [1...2, 7...9, 21...30])
        #expect(account.missing(of: 4...6) == [])
        #expect(account.missing(of: 7...7) == [7...7])
        #expect(account.missing(of: 5_000_000_000...5_000_000_002) == [5_000_000_001...5_000_000_002])
        #expect(account.count(in: 1...30) == 15)
        #expect(account.count(in: 4...4) == 1 && account.count(in: 7...9) == 0)
    }

    @Test("Thousands of ranges give the same as one by one")
    func many() async throws {
        let account = try await account((0..<3000).map { $0 * 5 + 1...$0 * 5 + 2 })
        for start in [1, 1279, 1280, 1281, 6400, 14_990] as [Int64] {
            let expected = (start...start + 20).filter { $0 > 15_000 || !(1...2 ~= ($0 - 1) % 5 + 1) }
            #expect(account.missing(of: start...start + 20).flatMap { Array($0) } == expected, "\(start)")
        }
        #expect(account.count(in: 1...15_000) == 6000)
    }

    @Test("An audit distinguishes gaps, repeats and contradictions")
    func audit() async throws {
        var audit = NumberAudit(try await account([4...5, 9...9]))
        for seq in [2, 3, 6, 7, 7, 5, 9, 12] as [Int64] { audit.add(seq) }
        audit.finish(at: 14)
        #expect(audit.count == 8 && audit.first == 2 && audit.last == 12)
        #expect(audit.missing == 5 && audit.late == 0)
        #expect(audit.gapsText == "8, 10-11, 13-14")
        #expect(audit.repeated == 2 && audit.firstRepeated == 7)
        #expect(audit.contradicted == 1)
    }

    @Test("Numbers that come after later ones are not missing, and not repeated")
    func late() async throws {
        var audit = NumberAudit(try await account([4...5]))
        for seq in [1, 7, 3, 2, 9, 8, 3, 6, 12] as [Int64] { audit.add(seq) }
        #expect(audit.late == 4 && audit.repeated == 1 && audit.firstRepeated == 3)
        #expect(audit.missing == 2 && audit.gapsText == "10-11" && audit.contradicted == 0)
    }

    @Test("Of many gaps only a few are shown")
    func gaps() {
        var audit = NumberAudit(nil)
        for seq in stride(from: Int64(1), through: 21, by: 2) { audit.add(seq) }
        #expect(audit.missing == 10 && audit.gapsText == "2, 4, 6 …")
    }
}
