import CommandRunner
import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Logs that `log-writer keep` wrote with format 5 of the database, format 4 of the control file and format 2 of the
/// journal. The closed log has 15 events; the killed log has ten more, which are only in its ring; in the sealed log a
/// batch of the consumer `other` was delivered without an answer. Never write these files again for the same format:
/// installed apps have such logs.
@Suite("A stored log of format 5")
struct FormerFormatTests {
    static let logs: [(String, Int64)] = [("closed", 15), ("killed", 25), ("sealed", 15)]
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func copy(_ name: String) throws {
        let source = try #require(
            Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Resources/Format5"))
        for file in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            try FileManager.default.copyItem(
                at: source.appendingPathComponent(file), to: folder.url.appendingPathComponent(file))
        }
    }

    private static func id(_ number: Int64) -> EventID {
        EventID(milliseconds: 100_000, counter: 0, random: UInt64(number) << 2)
    }

    private static let consents = [
        EventLogReader.key(of: "ada"): ConsentRecord(.denied, number: 2),
        EventLogReader.key(of: "bob"): ConsentRecord(.granted, number: 1),
    ]

    private func version() throws -> Int? {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: folder.path, configuration: configuration).read { db in
            try Int.fetchOne(db, sql: "PRAGMA user_version")
        }
    }

    /// The numbers of the events: 16 to 19 were reserved for copies of 12 to 15.
    private static func numbers(_ count: Int64) -> [Int64] { (1...count).map { $0 <= 15 ? $0 : $0 + 4 } }

    @Test("can be read without being changed", arguments: logs)
    func reading(name: String, count: Int64) throws {
        try copy(name)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        let reader = try EventLogReader(path: folder.path)
        let stored = try reader.read(after: 0)
        #expect(stored.map(\.seq) == Array(1...15))
        #expect(stored.map(\.id) == (1...15).map(Self.id))
        #expect(stored.allSatisfy { $0.name == "search" && $0.time == EventTime(seconds: 100) })
        var seqs: [Int64] = []
        try reader.forEach { event in
            seqs.append(event.seq)
            return true
        }
        #expect(seqs == Self.numbers(count))
        #expect(try reader.generations().map(\.installID) == ["install-1", reader.installID()])
        let others = name == "sealed" ? ["other 0"] : []
        #expect(try reader.cursors().map { "\($0.consumer) \($0.acknowledged)" } == ["file 4"] + others + ["server 19"])
        if name != "sealed" { #expect(try reader.consents() == Self.consents) }
        #expect(try reader.answers().map(\.isGranted) == (name == "sealed" ? [] : [true, false]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == bytes)
    }

    @Test("opens with all it has, and continues", arguments: logs)
    func continuing(name: String, count: Int64) async throws {
        try copy(name)
        let store = try folder.open()
        #expect(try await store.seqs() == Self.numbers(count))
        #expect(try await store.all().map(\.id) == (1...count).map(Self.id))
        #expect(try await store.cursor(of: "file") == .init(consumer: "file", acknowledged: 4, checkpoint: "here"))
        let dropped = try await store.ledger().filter { $0.seqs == nil }
        #expect(dropped.map(\.reason) == (name == "killed" ? [.encoding, .runaway] : [.encoding]))
        #expect(store.consent(of: "ada") == .denied && store.consent(of: "bob") == .granted)
        let letters = try await store.deadLetters()
        #expect(letters.map(\.seq) == [3] && letters.map(\.location) == ["/v"] && letters.map(\.reason) == ["bad"])
        #expect(try EventLogReader(path: folder.path).ledgerRanges().count >= 4)
        // The first event of the new install is retried, then the others follow.
        let lease = try #require(try await store.lease("server"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        #expect(batch.generation == 2 && batch.checkpoint == "d" && batch.records.first?.id == Self.id(12))
        let number = try #require(Self.numbers(count + 1).last)
        _ = store.append { seq in .numbered(seq + 15) }
        try await store.commit()
        #expect(try await store.seqs() == Self.numbers(count) + [number])
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("keeps its events if the database's first page is overwritten")
    func firstPage() async throws {
        try copy("closed")
        try folder.change(folder.path) { bytes in for index in 0..<4096 { bytes[index] = 0xA5 } }
        try FileManager.default.createDirectory(atPath: folder.journal, withIntermediateDirectories: false)
        let store = try folder.open()
        #expect(try await store.all().map(\.id) == (1...15).map(Self.id))
        #expect(try await store.deadLetters().map(\.seq) == [3])
        #expect(try await store.cursor(of: "file") == .init(consumer: "file", acknowledged: 4, checkpoint: "here"))
        #expect(store.consent(of: "ada") == .denied)
    }

    @Test("is migrated with its consents: a denial is for all purposes, a grant for analytics", arguments: logs)
    func migrated(name: String, count: Int64) async throws {
        try copy(name)
        let store = try folder.open()
        #expect(try version() == 6)
        #expect(store.consent(of: "ada", for: "ads") == .denied && store.consent(of: "bob", for: "ads") == nil)
        try await store.setConsent(.granted, for: ["ads"], of: ["ada"])
        try await store.setConsent(.denied, of: ["bob"])
        try await store.close()
        let next = try folder.open()
        #expect(next.consent(of: "ada") == .denied && next.consent(of: "ada", for: "ads") == .granted)
        #expect(next.consent(of: "bob") == .denied && next.consent(of: "bob", for: "ads") == .denied)
        #expect(next.purposes == ["ads"])
        #expect(try EventLogReader(path: folder.path).answers().last?.purposes == [])
    }

    @Test("keeps a batch that was sealed before")
    func sealed() async throws {
        try copy("sealed")
        let store = try folder.open()
        let lease = try #require(try await store.lease("other"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        #expect(batch.id == "d06381aef743b188b968da6ccc16b7fc" && batch.attempt == 2)
        #expect(batch.records.map(\.id) == (1...15).map(Self.id))
    }

    @Test("keeps the consents that only the control file has")
    func onlyMirrored() async throws {
        try copy("killed")
        // The killed process has denied for bob, who agreed before, and required consent of eve.
        let control = try JournalControl.openLocked(folder: folder.journal, timeout: .zero).0
        for (person, record) in [
            ("bob", ConsentRecord(.denied, number: 3)), ("eve", ConsentRecord(.required, number: 4)),
        ] { control.consents.put(record, of: ConsentMirror.key(of: person)) }
        control.consents.change()
        control.unlock()
        let reader = try EventLogReader(path: folder.path)
        #expect(try reader.consents()[EventLogReader.key(of: "eve")]?.state == .required)
        for _ in 1...2 {
            let store = try folder.open()
            #expect(["ada", "bob", "eve"].map { store.consent(of: $0) } == [.denied, .denied, .unknown])
            #expect(try await store.seqs() == Array(1...4))  // The events after the first consumer's cursor were bob's.
            try await store.close()
        }
    }

    @Test("is not migrated while another program has it open, which may be of an earlier version")
    func inUse() async throws {
        try copy("closed")
        let lone = try LoneWriter(folder, isAlive: true)
        #expect { _ = try folder.open() } throws: { ($0 as? EventLogError)?.code == .inUse }
        #expect(try version() == 5)
        lone.ring.markGone()
        #expect(try await folder.open().seqs() == Array(1...15))
        #expect(try version() == 6)
    }

    @Test(
        "on a full disk fails to open, and opens with all it has when there is space",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func fullDisk() async throws {
        try copy("killed")
        let disk = try await SmallDisk(kilobytes: 800)
        for name in try folder.names() {
            try FileManager.default.copyItem(atPath: folder.url.path + "/" + name, toPath: disk.path + "/" + name)
        }
        let filler = try Filler(disk.path + "/filler")
        let path = disk.path + "/events.sqlite"
        let options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        #expect {
            _ = try SQLiteEventStore(path: path, options: options)
        } throws: { ($0 as? EventLogError)?.code == .diskFull }
        try filler.remove()
        try await disk.resize(kilobytes: 16384)
        let store = try SQLiteEventStore(path: path, options: options)
        #expect(try await store.seqs() == Self.numbers(25))
        #expect(store.consent(of: "ada") == .denied && store.consent(of: "bob") == .granted)
        try await store.close()
    }

    /// A file that fills its disk.
    private struct Filler {
        let path: String

        init(_ path: String) throws {
            self.path = path
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            let page = [UInt8](repeating: 1, count: 4096)
            while write(file, page, page.count) == page.count {}
            close(file)
        }

        func remove() throws { try FileManager.default.removeItem(atPath: path) }
    }

    @Test("of a newer version is rejected and not changed")
    func newer() async throws {
        try copy("closed")
        let database = try DatabaseQueue(path: folder.path)
        try await database.write { db in try db.execute(sql: "PRAGMA user_version = \(DatabaseSchema.version + 1)") }
        try database.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        #expect { _ = try folder.open() } throws: { ($0 as? EventLogError)?.code == .newerVersion }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == bytes)
        #expect(try folder.names() == ["events.sqlite"])
    }
}
