import CollectorFixtures
import CollectorReading
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import GRDB
import Primitives
import Testing

@Suite("Counts of arrivals", .timeLimit(.minutes(10)))
struct ArrivalTests {
    private let folder: CountedFolder
    private let sender = SendingInstall("install-a")
    private let later = EventTime(seconds: CountedFolder.noon.microseconds / 1_000_000 + 7200)

    init() throws { folder = try CountedFolder() }

    private func sendMixture() async throws {
        var lines = sender.lines(1...3, app: "Shop 1.2") + sender.lines(4...9, app: "Shop 1.3")
        lines[1] = lines[1].replacing(#""page":1"#, with: #""page":0"#)
        lines[4] = lines[4].replacing(#""page":1"#, with: #""page":-5"#)
        lines[5] = lines[5].replacing("search", with: "unknown")
        lines[6] = "not JSON"
        // The first hour, and the second.
        try await folder.send(1, 1...9, lines, from: sender)
        try await folder.send(2, 10...14, sender.lines(10...14, app: "Shop 1.3"), from: sender, later: 3600)
    }

    @Test("Lines are counted by event, outcome, schema, app and rule, and by minute")
    func counts() async throws {
        try await sendMixture()
        let events = try folder.counted().events(since: CountedFolder.noon, now: later).value
        #expect(events.map(\.name) == ["", "search", "unknown"])
        let search = events[1]
        let counts = search.counts
        #expect((counts.accepted, counts.unvalidated, counts.rejected) == (10, 0, 2))
        #expect(search.schemas.mapValues(\.all) == ["search/1-0-0": 12])
        #expect(search.apps.mapValues(\.accepted) == ["Shop 1.2": 2, "Shop 1.3": 8])
        #expect(search.apps.mapValues(\.rejected) == ["Shop 1.2": 1, "Shop 1.3": 1])
        #expect(Array(search.rules.values) == [["Shop 1.2": 1, "Shop 1.3": 1]])
        let rule = try #require(search.rules.keys.first)
        #expect(rule.hasPrefix("schema: must be ") && rule.hasSuffix("/page/minimum)"))
        #expect(search.firstSeen == CountedFolder.noon)
        #expect(search.lastSeen.microseconds == CountedFolder.noon.microseconds + 3_600_000_000)
        #expect(events[0].counts.all == 1 && events[0].rules.keys.allSatisfy { $0.hasPrefix("syntax: ") })
        #expect((events[2].counts.unvalidated, events[2].counts.all) == (1, 1))
        // 60 minutes that end 10 minutes after the second batch.
        let soon = EventTime(microseconds: search.lastSeen.microseconds + 600_000_000)
        let minutes = try folder.counted().events(since: CountedFolder.noon, now: soon).value[1].minutes
        #expect(minutes.indices.filter { minutes[$0] > 0 } == [49] && minutes[49] == 5)
    }

    @Test("A period counts its hours only; first and last receipt stay")
    func period() async throws {
        try await sendMixture()
        let events = try folder.counted().events(
            since: EventTime(microseconds: CountedFolder.noon.microseconds + 3_600_000_000), now: later
        ).value
        #expect(events.map(\.counts.all) == [0, 5, 0])
        #expect(events[1].firstSeen == CountedFolder.noon)
    }

    @Test("Each batch is counted once, whether counted in one go, in parts, after restarts, or from the beginning")
    func once() async throws {
        let statistics = try folder.statistics()
        var receipt: Int64 = 0
        for batch in 1...20 {
            let seqs = Int64(batch * 10 - 9)...Int64(batch * 10)
            receipt = try await folder.send(batch, seqs, sender.lines(seqs, app: "Shop 1"), from: sender)
            if batch % 3 == 0 { try statistics.count() }
            if batch % 5 == 0 { try folder.counted().count() }
        }
        // A repeated batch is not stored again.
        try await folder.send(20, 191...200, sender.lines(191...200, app: "Shop 1"), from: sender)
        let events = try folder.counted().events(since: CountedFolder.noon, now: later).value
        #expect(events.map(\.counts.accepted) == [200])
        let found = try statistics.events(since: CountedFolder.noon, now: later)
        #expect((found.counted, found.stored) == (receipt, receipt))
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try folder.counted().events(since: CountedFolder.noon, now: later).value == events)
    }

    @Test(
        "A database that is damaged, foreign, or of another store is counted again",
        arguments: ["damaged", "foreign", "other collector", "of a newer store", "without a table"])
    func unusable(kind: String) async throws {
        try await sendMixture()
        let events = try folder.counted().events(since: CountedFolder.noon, now: later).value
        switch kind {
        case "damaged":
            try Data("not a database, but as long as its header must be".utf8).write(
                to: URL(fileURLWithPath: folder.path))
        case "foreign":
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.copyItem(
                atPath: folder.temporary.path("store/index.sqlite"), toPath: folder.path)
        case "without a table":
            try await DatabaseQueue(path: folder.path).write { try $0.execute(sql: "DROP TABLE meta") }
        case "of a newer store":
            try await DatabaseQueue(path: folder.path).write { db in
                try db.execute(sql: "UPDATE meta SET receipt = 100; DELETE FROM arrivals")
            }
        default:
            let other = try CountedFolder()
            let statistics = try other.statistics()
            _ = try await other.send(1, 1...3, sender.lines(1...3, app: "Shop 9"), from: sender)
            try statistics.count()
            _ = statistics
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.copyItem(atPath: other.path, toPath: folder.path)
            try? FileManager.default.copyItem(atPath: other.path + "-wal", toPath: folder.path + "-wal")
        }
        #expect(try folder.counted().events(since: CountedFolder.noon, now: later).value == events)
    }

    @Test("Counts are removed after 90 days; the first and last receipt of an event stay")
    func oldCounts() async throws {
        let day: Int64 = 86_400
        try await sendMixture()
        try await folder.send(3, 15...15, sender.lines(15...15, app: "Shop 2"), from: sender, later: 90 * day)
        let start = EventTime(seconds: 0)
        func search(_ statistics: ArrivalStatistics) throws -> EventArrivals {
            try #require(try statistics.events(since: start, now: later).value.first { $0.name == "search" })
        }
        #expect(try search(folder.counted()).counts.accepted == 11)
        try await folder.send(4, 16...16, sender.lines(16...16, app: "Shop 2"), from: sender, later: 91 * day)
        let statistics = try folder.counted()
        let last = try search(statistics)
        #expect(last.counts.all == 2 && last.firstSeen == CountedFolder.noon)
        #expect(try statistics.deliveries(of: "install-a", limit: 9).map(\.lines) == [1, 1])
    }

    @Test("Batches are removed after 90 days, also those after a time of receipt in the future")
    func oldDeliveries() async throws {
        let day: Int64 = 86_400
        let statistics = try folder.statistics()
        for (batch, later) in [1: 1000, 2: 0, 3: 50, 4: 91] as KeyValuePairs<Int, Int64> {
            let seqs = Int64(batch)...Int64(batch)
            try await folder.send(batch, seqs, sender.lines(seqs, app: "Shop 1"), from: sender, later: later * day)
            try statistics.count()
        }
        let left = try statistics.deliveries(of: "install-a", limit: 9)
        #expect(left.map { $0.seqs?.lowerBound } == [4, 3])
    }

    /// A line of an event that is not in the plan.
    private func other(_ seq: Int64, _ event: String, app: String = "Shop 1") -> String {
        sender.lines(seq...seq, app: app)[0].replacing("search", with: event)
    }

    @Test(
        "Names beyond the limit are counted together; those of the plan are always counted, and apps have their own limit"
    )
    func manyNames() async throws {
        // An event and its schema fill the limit; so do two apps.
        let statistics = try folder.statistics(maximumTexts: 2)
        try await folder.send(1, 1...6, (1...6).map { other($0, "event-\($0)", app: "App \($0)") }, from: sender)
        try statistics.count()
        let receipt = try await folder.send(2, 7...9, sender.lines(7...9, app: "Shop 2"), from: sender)
        statistics.note(key: "shop", of: receipt)
        try statistics.count()
        let events = try statistics.events(since: CountedFolder.noon, now: later).value
        #expect(events.map(\.counts.all).sorted() == [1, 3, 5])
        #expect(events.first { $0.name == ArrivalStatistics.otherName }?.counts.unvalidated == 5)
        let search = try #require(events.first { $0.name == "search" })
        #expect(search.counts.accepted == 3 && search.schemas.keys.sorted() == ["search/1-0-0"])
        #expect(search.apps.mapValues(\.all) == ["shop": 3])
    }

    @Test("Names that are not of the plan expire after 7 days, are counted as others, and make room")
    func expiry() async throws {
        let (statistics, day) = (try folder.statistics(maximumTexts: 2), 86_400 as Int64)
        try await folder.send(1, 1...2, [other(1, "old"), sender.lines(2...2, app: "Shop 1")[0]], from: sender)
        try statistics.count()
        for (batch, days) in [(2, 7), (3, 8), (4, 9)] as [(Int, Int64)] {
            let seq = Int64(batch) + 1
            try await folder.send(batch, seq...seq, [other(seq, "new", app: "Shop 2")], from: sender, later: days * day)
            try statistics.count()
        }
        let events = try statistics.events(since: .init(seconds: 0), now: later).value
        let counts = Dictionary(uniqueKeysWithValues: events.map { ($0.name, $0.counts.all) })
        // The new name arrived three times, first while there was no room for it.
        #expect(counts == ["(other)": 3, "search": 1, "new": 1])
        #expect(events.first { $0.name == "(other)" }?.firstSeen == CountedFolder.noon)
        #expect(events.first { $0.name == "search" }?.apps.keys.sorted() == ["(other)"])
        let map = try statistics.completeness(
            of: CountedFolder.day...CountedFolder.day + 9, by: .app, rows: 0..<10
        ).value
        #expect(map.rows.map(\.name).sorted() == ["(other)", "Shop 2"])
    }

    @Test("The database of the former version is brought up to date, and keeps its counts")
    func formerVersion() async throws {
        try await sendMixture()
        let events = try folder.counted().events(since: CountedFolder.noon, now: later).value
        try await DatabaseQueue(path: folder.path).write { db in
            // Counted again, it would have the rows that are removed here.
            try db.execute(
                sql: """
                    ALTER TABLE texts DROP COLUMN kind; ALTER TABLE texts DROP COLUMN seen; PRAGMA user_version = 1;
                    DELETE FROM deliveries
                    """)
        }
        let statistics = try folder.counted()
        #expect(try statistics.events(since: CountedFolder.noon, now: later).value == events)
        #expect(try statistics.deliveries(of: "install-a", limit: 9).isEmpty)
        try await folder.send(3, 15...15, sender.lines(15...15, app: "Shop 1.3"), from: sender, later: 7200)
        try statistics.count()
        #expect(try statistics.deliveries(of: "install-a", limit: 9).count == 1)
    }

    @Test("Batches are listed with their attempts and times, also if an attempt comes later")
    func deliveries() async throws {
        let statistics = try folder.statistics()
        let first = try await folder.send(1, 1...3, sender.lines(1...3, app: "Shop 1"), from: sender)
        let second = try await folder.send(
            2, 4...5, sender.lines(4...5, app: "Shop 1"), from: sender, later: 60)
        statistics.note(attempt: 2, of: second)
        try statistics.count()
        statistics.note(attempt: 4, of: first)
        statistics.note(attempt: 3, of: first)
        try statistics.count()
        let found = try statistics.deliveries(of: "install-a", limit: 10)
        #expect(found.map(\.receipt) == [second, first])
        #expect(found.map(\.attempts) == [2, 4])
        #expect(found.map(\.lines) == [2, 3])
        #expect(found.map(\.seqs) == [4...5, 1...3])
        #expect(found[0].events == EventTime(seconds: 1_700_000_004)...EventTime(seconds: 1_700_000_005))
        #expect(found[0].receivedAt.microseconds - (found[0].sentAt?.microseconds ?? 0) == 500_000)
        #expect(try statistics.deliveries(of: "install-a", limit: 1).count == 1)
        #expect(try statistics.deliveries(of: "install-b", limit: 1).isEmpty)
        // A store that changes no more: the first attempt that is noted wakes the count.
        await folder.store.close()
        let before = folder.store.changes.last
        for _ in 0..<2 {
            statistics.note(attempt: 5, of: first)
            #expect(folder.store.changes.last == before + 1)
        }
    }

    @Test("It counts while batches arrive, until the store is closed")
    func running() async throws {
        let statistics = try folder.statistics()
        async let running: Void = statistics.run()
        for batch in 1...10 {
            try await folder.send(
                batch, Int64(batch)...Int64(batch), sender.lines(Int64(batch)...Int64(batch), app: "Shop 1"),
                from: sender)
        }
        while try statistics.events(since: CountedFolder.noon, now: later).counted < 10 {
            try await Task.sleep(for: .milliseconds(5))
        }
        let events = try statistics.events(since: CountedFolder.noon, now: later).value
        #expect(events.map(\.counts.accepted) == [10])
        await folder.store.close()
        await running
    }

    @Test("An answer contains exactly the batches that it calls counted, also while batches arrive")
    func consistent() async throws {
        let statistics = try folder.statistics()
        async let running: Void = statistics.run()
        let (sender, folder) = (sender, folder)
        async let sending: Void = {
            for batch in 1...500 {
                let seq = Int64(batch) * 2
                try await folder.send(
                    batch, seq - 1...seq, sender.lines(seq...seq, app: "Shop 1"), from: sender,
                    missing: [.init(seq - 1...seq - 1, .held)])
            }
        }()
        var counted: Int64 = 0
        while counted < 500 {
            let arrivals = try statistics.events(since: CountedFolder.noon, now: later)
            counted = arrivals.counted
            #expect(arrivals.value.map(\.counts.accepted).reduce(0, +) == counted)
            let map = try statistics.completeness(
                of: CountedFolder.day...CountedFolder.day, by: .install, rows: 0..<1)
            let total = map.value.rows.first?.total
            #expect((total?.all.value ?? 0, total?.held.value ?? 0) == (2 * map.counted, map.counted))
            // The reads block, and the counting needs the same threads.
            try await Task.sleep(for: .milliseconds(1))
        }
        try await sending
        await folder.store.close()
        await running
    }
}
