import CommandRunner
import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

@Suite("A full disk")
struct FullDiskTests {
    @Test(
        "without space for the journal opening fails and leaves no files; with space it opens",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func preallocating() async throws {
        let disk = try await SmallDisk(kilobytes: 32)
        let path = disk.path + "/events.sqlite"
        let options = SQLiteEventStore.Options(installID: { "install-1" })
        #expect {
            _ = try SQLiteEventStore(path: path, options: options)
        } throws: { error in (error as? EventLogError)?.code == .diskFull }
        #expect(!FileManager.default.fileExists(atPath: JournalFolder.path(of: path)))
        try await disk.resize(kilobytes: 8192)
        let store = try SQLiteEventStore(path: path, options: options)
        #expect(try store.append().get().seq == 1)
        try await store.close()
    }

    @Test(
        "opening fails without space for the control file",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func nothing() async throws {
        let disk = try await SmallDisk(kilobytes: 4)
        try Data(repeating: 1, count: 4096).write(to: URL(fileURLWithPath: disk.path + "/filler"))
        #expect {
            _ = try SQLiteEventStore(path: disk.path + "/events.sqlite", options: .init(installID: { "" }))
        } throws: { error in (error as? EventLogError)?.code == .diskFull }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: disk.path).filter { $0.contains("journal") } == [])
    }

    @Test(
        "on a full disk events wait in the journal, and are stored when there is space",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func whileOpen() async throws {
        let disk = try await SmallDisk(kilobytes: 1024)
        let options = SQLiteEventStore.Options(
            installID: { "install-1" }, retention: .keepAll, maximumPendingBytes: 512 << 10)
        let store = try SQLiteEventStore(path: disk.path + "/events.sqlite", options: options)
        var count: Int64 = 0
        var code: EventLogError.Code?
        while code == nil {
            while case .success = store.append(length: 4000) { count += 1 }
            do { try await store.commit() } catch let error as EventLogError { code = error.code }
        }
        #expect(code == .diskFull)
        try await disk.resize(kilobytes: 16384)
        try await store.commit()
        #expect(try await store.seqs() == Array(1...count))
        #expect(try store.append().get().seq == count + 1)
    }

    @Test(
        "on a full disk stored events are read, delivered, discarded and pruned, and the log recovers repeatedly",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func fullThenPruned() async throws {
        let disk = try await SmallDisk(kilobytes: 12 << 10)
        let options = SQLiteEventStore.Options(
            installID: { "install-1" }, retention: Retention(maximumCount: 10), maximumPendingBytes: 2 << 20)
        let store = try SQLiteEventStore(path: disk.path + "/events.sqlite", options: options)
        var (sent, delivered): ([Int64], [Int64]) = ([], [])
        _ = try await store.beginDelivery(to: "sink", lasting: .seconds(90), at: EventTime(seconds: 1))
        for _ in 1...3 {
            var code: EventLogError.Code?
            while code == nil {
                while case .success(let event) = store.append(length: 4000) { sent.append(event.seq) }
                do { try await store.commit() } catch let error as EventLogError { code = error.code }
            }
            #expect(code == .diskFull)
            // Nothing else frees space on the disk.
            var last = delivered.last ?? 0
            while true {
                let batch = try await store.read(after: last, maximumCount: 200, maximumBytes: .max)
                guard let end = batch.last?.seq else { break }
                delivered += batch.map(\.seq)
                last = end
                try await store.acknowledge(ConsumerCursor(consumer: "sink", acknowledged: last), refused: nil)
            }
            try await store.prune(now: EventTime(seconds: 200))
            #expect(try await store.cursor(of: "sink").acknowledged == last)
            #expect(try await store.statistics().count <= 10 + Int64(sent.count - delivered.count))
        }
        try await store.commit()
        delivered += try await store.read(after: delivered.last ?? 0, maximumCount: .max, maximumBytes: .max).map(\.seq)
        #expect(delivered == sent)
        #expect(sent == Array(1...Int64(sent.count)))
        #expect(try await store.ledger() == [])
        try await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["events.sqlite"])
    }

    @Test(
        "the reserve allows opening a log on a disk without free space",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func openingWithReserve() async throws {
        let disk = try await SmallDisk(kilobytes: 12 << 10)
        let path = disk.path + "/events.sqlite"
        func openLog(_ path: String) throws -> SQLiteEventStore {
            try SQLiteEventStore(
                path: path,
                options: .init(
                    installID: { "install-1" }, retention: Retention(maximumCount: 10), maximumPendingBytes: 256 << 10))
        }
        // The files that a killed process leaves, without the shared memory of its connection.
        let folder = try LogFolder()
        let killed = try openLog(folder.path)
        for _ in 1...100 { killed.append(length: 1000) }
        let cursor = ConsumerCursor(consumer: "sink", acknowledged: 100, checkpoint: nil)
        _ = try await killed.cursor(of: "sink")
        try await killed.acknowledge(cursor, refused: nil)
        for name in try folder.names() where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                atPath: folder.url.appendingPathComponent(name).path, toPath: disk.path + "/" + name)
        }
        let reserve = JournalFolder.path(of: path) + "/reserve"
        #expect(FileManager.default.fileExists(atPath: reserve))
        // A copy may be sparse.
        try Data(repeating: 1, count: DiskReserve.size).write(to: URL(fileURLWithPath: reserve))
        // Another program uses the remaining space.
        let filler = Foundation.open(disk.path + "/filler", O_WRONLY | O_CREAT, 0o600)
        defer { Foundation.close(filler) }
        var block = 1 << 16
        let bytes = [UInt8](repeating: 1, count: block)
        while block > 0 { if write(filler, bytes, block) <= 0 { block /= 2 } }
        #expect(DiskReserve.freeBytes(at: path) == 0)
        let store = try openLog(path)
        #expect(try await store.seqs() == Array(1...100))
        try await store.prune(now: EventTime(seconds: 200))
        #expect(try await store.seqs() == Array(91...100))
        #expect(try store.append().get().seq == 101)
        #expect(ftruncate(filler, 0) == 0)
        try await store.commit()
        #expect(try await store.seqs() == Array(91...101))
        try await store.close()
        try await killed.close()
    }

    @Test(
        "a log that ended on a full disk can be opened, delivered and pruned, and has all its events",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func restart() async throws {
        let disk = try await SmallDisk(kilobytes: 12 << 10)
        let path = disk.path + "/events.sqlite"
        func open() throws -> SQLiteEventStore {
            try SQLiteEventStore(
                path: path, options: .init(installID: { "install-1" }, retention: Retention(maximumCount: 10)))
        }
        var store = try open()
        _ = try await store.cursor(of: "sink")
        var (sent, delivered): ([Int64], [Int64]) = ([], [])
        for _ in 1...3 {
            // Until the disk is full, or a journal of one page rejects events.
            var isFull = false
            while !isFull {
                let before = sent.count
                while case .success(let event) = store.append(length: 4000) { sent.append(event.seq) }
                do { try await store.commit() } catch let error as EventLogError { isFull = error.code == .diskFull }
                if sent.count == before { isFull = true }
            }
            try? await store.close()  // Throws if events wait that cannot be stored.
            store = try open()
            while true {
                let batch = try await store.read(after: delivered.last ?? 0, maximumCount: 200, maximumBytes: .max)
                guard let last = batch.last?.seq else { break }
                delivered += batch.map(\.seq)
                try await store.acknowledge(ConsumerCursor(consumer: "sink", acknowledged: last), refused: nil)
                try await store.prune(now: EventTime(seconds: 200))
            }
        }
        #expect(delivered == sent && sent.count > 1000)
        #expect(try await store.ledger() == [])
        try await store.close()
    }

    @Test(
        "the reserve is released on a full disk, and restored when there is space",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func reserve() async throws {
        let disk = try await SmallDisk(kilobytes: 6 << 10)
        var options = SQLiteEventStore.Options(
            installID: { "install-1" }, retention: .keepAll, maximumPendingBytes: 512 << 10)
        options.checkInterval = .zero
        let path = disk.path + "/events.sqlite"
        let store = try SQLiteEventStore(path: path, options: options)
        let reserve = JournalFolder.path(of: path) + "/" + DiskReserve.name
        #expect(try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int == DiskReserve.size)
        for _ in 1...20 { _ = try store.append(length: 4000).get() }
        try await store.commit()
        // Another program uses the remaining space.
        let filler = open(disk.path + "/filler", O_WRONLY | O_CREAT, 0o600)
        let zeros = [UInt8](repeating: 0, count: 4096)
        while write(filler, zeros, zeros.count) > 0 {}
        close(filler)
        for turn in 1...200 {
            let cursor = ConsumerCursor(consumer: "sink-\(turn)", acknowledged: 20)
            try await store.acknowledge(cursor, refused: nil)
        }
        #expect(try await store.read(after: 19, maximumCount: .max, maximumBytes: .max).map(\.seq) == [20])
        unlink(disk.path + "/filler")
        try await store.prune(now: EventTime(seconds: 200))
        #expect(FileManager.default.fileExists(atPath: reserve))
        // A copy may be sparse.
        try Data(repeating: 1, count: DiskReserve.size).write(to: URL(fileURLWithPath: reserve))
        try await store.close()
    }
}
