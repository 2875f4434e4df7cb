import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Databases that were damaged or deleted while the log was closed.
@Suite("A damaged database")
struct DamagedDatabaseTests {
    let folder: LogFolder
    private static let count: Int64 = 400

    init() throws { folder = try LogFolder() }

    /// A closed log with events, which tests copy.
    private static let filled = Task {
        let tests = try DamagedDatabaseTests()
        try await tests.append()
        return try Data(contentsOf: URL(fileURLWithPath: tests.folder.path))
    }

    private func fill() async throws {
        try await Self.filled.value.write(to: URL(fileURLWithPath: folder.path))
    }

    /// Appends the events to the log.
    private func append() async throws {
        let store = try folder.open()
        for _ in 1...Self.count { store.append(length: 200) }
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 30, checkpoint: "x"), refused: nil)
        try await store.close()
    }

    /// Opens the log, and checks that it has no invented events, that every missing number is in the ledger, and that
    /// new numbers are higher.
    @discardableResult
    private func expectExplained(
        counted: Bool = true, at location: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [Int64] {
        let store = try folder.open()
        let events = try await store.all()
        #expect(events == events.map { .numbered($0.seq, length: 200) }, "\(location)", sourceLocation: sourceLocation)
        if counted {
            let lost = try await store.ledger().filter { $0.reason == .damaged }.reduce(0) { $0 + $1.count }
            #expect(lost == Self.count - Int64(events.count), "\(location)", sourceLocation: sourceLocation)
            #expect(try store.append().get().seq == Self.count + 1, "\(location)", sourceLocation: sourceLocation)
        } else {
            #expect(throws: Never.self) { try store.append().get() }
        }
        try await store.close()
        return events.map(\.seq)
    }

    @Test("with any page overwritten, the other events are kept and the lost ones counted")
    func onePage() async throws {
        try await fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        let pages = whole.count / 4096
        #expect(pages > 30)
        var leastKept = Self.count
        for page in 0..<pages where page < 12 || page % 4 == 0 {
            let folder = try LogFolder()
            var bytes = whole
            bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0x5A, count: 4096))
            try bytes.write(to: URL(fileURLWithPath: folder.path))
            let store = try folder.open()
            // Reads every page, which salvages the database when it finds damage.
            let events = try await store.all()
            #expect(events == events.map { .numbered($0.seq, length: 200) }, "page \(page)")
            let lost = try await store.ledger().filter { $0.reason == .damaged }.reduce(0) { $0 + $1.count }
            #expect(lost == Self.count - Int64(events.count), "page \(page)")
            if events.count < Self.count {
                #expect(try folder.reasons().count == 1, "page \(page)")
                #expect(try folder.names().contains("events.sqlite.damaged-1"), "page \(page)")
            }
            #expect(try store.append().get().seq == Self.count + 1, "page \(page)")
            #expect(try await store.commit() == (), "page \(page)")
            // Page 2, counted from 0, is the root of events.
            if page != 2 { leastKept = min(leastKept, Int64(events.count)) }
            try await store.close()
        }
        #expect(leastKept > Self.count - 40)
    }

    @Test("truncated after any page, the events before the cut are kept")
    func truncated() async throws {
        try await fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        for pages in stride(from: 1, to: whole.count / 4096, by: 3) {
            let folder = try LogFolder()
            try whole.prefix(pages * 4096 + (pages % 2 == 0 ? 0 : 100)).write(to: URL(fileURLWithPath: folder.path))
            let store = try folder.open()
            let events = try await store.all()
            #expect(events == events.map { .numbered($0.seq, length: 200) }, "\(pages) pages")
            // SQLite opens no file that is truncated before the last table's root.
            if pages > 16 {
                #expect(events.count > (pages - 16) * 4, "\(pages) pages")
                let lost = try await store.ledger().filter { $0.reason == .damaged }.reduce(0) { $0 + $1.count }
                #expect(lost == Self.count - Int64(events.count), "\(pages) pages")
                #expect(try store.append().get().seq == Self.count + 1, "\(pages) pages")
            }
            #expect(try folder.reasons().count == 1, "\(pages) pages")
            try await store.close()
        }
    }

    @Test(
        "a database truncated within its header is quarantined", arguments: [1, 2, 15, 16, 50, 71, 72, 99])
    func headerOnly(length: Int) async throws {
        try await fill()
        #expect(truncate(folder.path, off_t(length)) == 0)
        let store = try folder.open()
        #expect(try await store.seqs() == [])
        #expect(try store.append().get().seq == 1)
        try await store.close()
    }

    @Test("truncated inside a page, no event is read with zeros in it", arguments: [1, 200, 1000, 2000, 3000, 4000])
    func cutInsidePage(length: Int) async throws {
        try await fill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        for end in stride(from: whole.count, to: whole.count - 5 * 4096, by: -4096) {
            let folder = try LogFolder()
            try whole.prefix(end - length).write(to: URL(fileURLWithPath: folder.path))
            let store = try folder.open()
            let reasons = try folder.reasons()
            #expect(reasons == ["the file ends inside a page, after \(end - length) bytes\n"])
            let events = try await store.all()
            #expect(events == events.map { .numbered($0.seq, length: 200) })
            try await store.close()
        }
    }

    @Test("a first page of random bytes costs no event", arguments: [true, false])
    func firstPage(isRewritten: Bool) async throws {
        try await fill()
        let database = try DatabaseQueue(path: folder.path)
        if isRewritten { try await database.vacuum() }
        try database.close()
        var generator = SteadyGenerator(state: 4)
        try folder.change(folder.path) { bytes in
            for index in 0..<4096 { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        }
        #expect(try await expectExplained() == Array(1...Self.count))
        let store = try folder.open()
        #expect(store.installID == "install-1")
        #expect(try await store.cursor(of: "a") == ConsumerCursor(consumer: "a", acknowledged: 30, checkpoint: "x"))
    }

    @Test("pages of random bytes cause no trap and no invented event", arguments: 0..<12)
    func randomBytes(seed: UInt64) async throws {
        try await fill()
        var generator = SteadyGenerator(state: seed)
        try folder.change(folder.path) { bytes in
            for _ in 0..<40 {
                // Headers of pages and cells, where SQLite keeps its structure, but not the events' bytes.
                let page = Int.random(in: 1..<bytes.count / 4096, using: &generator)
                let offset = page * 4096 + Int.random(in: 0..<40, using: &generator)
                bytes[offset] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        do {
            let store = try folder.open()
            let events = try await store.all()
            #expect(Set(events.map(\.seq)).count == events.count)
            #expect(throws: Never.self) { try store.append().get() }
            try await store.close()
        } catch let error as EventLogError {
            Issue.record("\(error.code): \(error) \(String(describing: error.underlyingError))")
        }
    }

    @Test("events lost at the start of the log are counted as damaged, not as pruned")
    func firstLeaf() async throws {
        try await fill()
        let leaf = try await DatabaseQueue(path: folder.path).read { db in
            // The first child of the events' root, in the first cell of an inner page: its first four bytes.
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'events'")
        }
        let root = try #require(leaf)
        try folder.change(folder.path) { bytes in
            let page = (root - 1) * 4096
            #expect(bytes[page] == 5)
            let cell = page + Int(bytes[page + 12]) << 8 + Int(bytes[page + 13])
            let child = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange((child - 1) * 4096..<child * 4096, with: Array(repeating: 0, count: 4096))
        }
        let store = try folder.open()
        let seqs = try await store.seqs()
        let first = try #require(seqs.first)
        #expect(first > 1 && seqs == Array(first...Self.count))
        #expect(
            try await store.ledger() == [
                LedgerEntry(reason: .damaged, consumer: nil, count: first - 1, seqs: 1...first - 1)
            ])
    }

    @Test("a deleted database is replaced, with numbers above those in its journals")
    func missingWithJournal() async throws {
        try await fill()
        try FileManager.default.removeItem(atPath: folder.path)
        do {
            let dead = try LoneWriter(folder)
            dead.control.counter.publish(UInt64(Self.count))
            #expect(dead.append() == Self.count + 1)
        }
        let store = try folder.open()
        #expect(try await store.seqs() == [Self.count + 1])
        #expect(store.installID == "install-1")
        #expect(
            try await store.ledger() == [
                LedgerEntry(reason: .damaged, consumer: nil, count: Self.count, seqs: 1...Self.count)
            ])
        #expect(try store.append().get().seq == Self.count + 2)
    }

    @Test("without the database, the events in its -wal file are kept")
    func missingWithWAL() async throws {
        let live = try LogFolder()
        let store = try live.open()
        for _ in 1...Self.count { store.append(length: 200) }
        try await store.commit()
        try FileManager.default.copyItem(atPath: live.path + "-wal", toPath: folder.path + "-wal")
        #expect(try await expectExplained() == Array(1...Self.count))
        #expect(try folder.reasons() == ["the database is missing, but its -wal file exists\n"])
    }

    @Test("a -wal file truncated at any offset has exactly the transactions before the cut")
    func walCut() async throws {
        let live = try LogFolder()
        let store = try live.open()
        var ends: [(bytes: Int, seq: Int64)] = []
        for seq in 1...Int64(25) {
            store.append(length: 200)
            try await store.commit()
            let size = try FileManager.default.attributesOfItem(atPath: live.path + "-wal")[.size] as? Int
            ends.append((try #require(size), seq))
        }
        let (database, wal) = (
            try Data(contentsOf: URL(fileURLWithPath: live.path)),
            try Data(contentsOf: URL(fileURLWithPath: live.path + "-wal"))
        )
        for cut in stride(from: ends[0].bytes, through: wal.count, by: 3777) {
            let folder = try LogFolder()
            try database.write(to: URL(fileURLWithPath: folder.path))
            try wal.prefix(cut).write(to: URL(fileURLWithPath: folder.path + "-wal"))
            let copy = try folder.open()
            let expected = ends.last { $0.bytes <= cut }?.seq ?? 0
            #expect(try await copy.seqs() == Array(1...expected), "cut at \(cut)")
        }
    }

    @Test("the next process finishes an interrupted salvage", arguments: [true, false])
    func interruptedSalvage(isMoved: Bool) async throws {
        try await fill()
        try FileManager.default.copyItem(atPath: folder.path, toPath: folder.path + ".salvaged")
        if isMoved {
            try FileManager.default.removeItem(atPath: folder.path)
        } else {
            try folder.change(folder.path) { bytes in
                bytes.replaceSubrange(4096..<20000, with: Array(repeating: 1, count: 15904))
            }
        }
        #expect(try await expectExplained() == Array(1...Self.count))
        #expect(try folder.names() == ["events.sqlite"] + (isMoved ? [] : ["events.sqlite.damaged-1"]))
    }

    @Test("damage in an open log is salvaged immediately, for every instance")
    func whileOpen() async throws {
        try await fill()
        let (first, second) = (try folder.open(), try folder.open())
        _ = try await second.seqs()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path))
        let size = try handle.seekToEnd()
        for page in stride(from: 8, to: Int(size) / 4096, by: 2) {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        }
        try handle.close()
        for _ in 1...5 { #expect(throws: Never.self) { try first.append(length: 200).get() } }
        let seqs = try await first.seqs()
        #expect(try await second.seqs() == seqs)
        #expect(seqs.suffix(5) == [401, 402, 403, 404, 405])
        #expect(seqs.count < 405 && seqs.count > 50)
        #expect(try second.append(length: 200).get().seq == 406)
        #expect(try await first.seqs() == seqs + [406])
        let lost = try await first.ledger().filter { $0.reason == .damaged }.reduce(0) { $0 + $1.count }
        #expect(lost == 405 - Int64(seqs.count))
    }

    @Test("a database that is deleted or replaced while the log is open", arguments: [true, false])
    func removedWhileOpen(isReplaced: Bool) async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.checkInterval = .zero
        let store = try SQLiteEventStore(path: folder.path, options: options)
        for _ in 1...10 { store.append(length: 200) }
        try await store.commit()
        for suffix in ["", "-wal", "-shm"] { unlink(folder.path + suffix) }
        if isReplaced { _ = try LogOpening.openDatabase(folder.path, options).close() }
        for _ in 1...2 { store.append(length: 200) }
        #expect(try await store.seqs() == (isReplaced ? [11, 12] : Array(1...12)))
        try await store.close()
        let again = try folder.open()
        #expect(try await again.seqs() == (isReplaced ? [11, 12] : Array(1...12)))
        #expect(
            try await again.ledger()
                == (isReplaced ? [LedgerEntry(reason: .damaged, consumer: nil, count: 10, seqs: 1...10)] : []))
    }
}
