import CommandRunner
import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// The erasure of a user: in all files and in all processes.
@Suite("Erasure of a user")
struct ErasureTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    /// Appends an event of Ada and one of Bob.
    private func append(_ marker: String = "marker", to store: any EventStore, purpose: Purpose = .analytics) {
        for user in ["ada", "bob"] {
            _ = store.append { .of("customer-\(user)", "\(marker)-of-\(user)", seq: $0, purpose: purpose) }
        }
    }

    private func deliver(to consumer: String, _ store: any EventStore, checkpoint: String? = nil) async throws {
        let lease = try #require(try await store.lease(consumer))
        let batch = try #require(
            try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        let result = DeliveryResult.delivered(through: batch.seqs.upperBound, checkpoint: checkpoint)
        _ = try await store.settle(lease, batch: batch.id, result, pause: nil)
        try await store.endDelivery(lease)
    }

    private func erase(_ store: any EventStore, for sinks: [String] = []) async throws -> ErasureRequest {
        try await store.erase("customer-ada", device: nil, for: sinks)
    }

    @Test(
        "removes delivered, waiting and necessary events, and counts them; other users' and later events stay",
        arguments: StoreUnderTest.allCases)
    func numbers(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        append(to: store)
        try await deliver(to: "a", store)
        append(to: store, purpose: .exempt)
        try await store.setConsent(.granted, of: ["customer-ada"])
        try await store.commit()
        append(to: store)
        let request = try await erase(store)
        #expect(request.userIDs == ["customer-ada"])
        #expect(request.installs.map(\.through) == [6] && request.installs[0].installID == "install-1")
        #expect(request.installs[0].numbers == [1...1, 3...3, 5...5] && request.installs[0].secret.count == 32)
        #expect(try await store.seqs() == [2, 4, 6])
        #expect(try await store.ledger().map { [$0.reason.rawValue, "\($0.count)"] } == [["erased", "3"]])
        #expect(store.consent(of: "customer-ada") == .granted)
        append("later", to: store)
        #expect(try await store.seqs() == [2, 4, 6, 7, 8])
        #expect(try await store.batch(for: "a")?.missing.map(\.reason) == [.erased, .erased])
        // Nothing is left to erase.
        #expect(try await store.erasures(for: "a").isEmpty)
    }

    @Test("no file has a byte of the events or the id", arguments: [1, 300])
    func traces(count: Int) async throws {
        let store = try folder.open()
        let other = try folder.open()
        for store in [store, other] {
            for _ in 0..<count { append("marker\(String(repeating: "long", count: 200))", to: store) }
            try await deliver(to: "a", store)
            for _ in 0..<count { append(to: store) }
        }
        try await store.setConsent(.granted, of: ["customer-ada"])
        let aside = folder.path + ".damaged-1"
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: folder.path + "-wal", toPath: aside + "/events.sqlite-wal")
        _ = try await erase(store)
        #expect(try folder.files(with: "of-ada") == [] && folder.files(with: "customer-ada") == [])
        #expect(try await store.seqs().count == 4 * count)
        // The other writer continues in a new journal.
        append("later", to: other)
        try await other.commit()
        #expect(try await store.seqs().count == 4 * count + 2)
        #expect(store.consent(of: "customer-ada") == .granted)
        for store in [store, other] { try await store.close() }
        #expect(try folder.names() == ["events.sqlite", "events.sqlite.damaged-1"])
    }

    @Test(
        "includes the journals of a stopped process, which continues later, and of a killed one",
        arguments: [SIGCONT, SIGKILL], [true, false])
    func otherProcesses(signal: Int32, isMoved: Bool) async throws {
        let store = try folder.open()
        let program = try RunningProgram(command: "log-writer", ["people", folder.path, "50"])
        var said = program.lines.makeAsyncIterator()
        let process = try #require(await said.next())
        let isStopped = { @Sendable in
            let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
            return String(decoding: status, as: UTF8.self).contains(") T ")
        }
        // Nothing is moved before the process stops, and the stopped process does not hold the lock.
        let blocker = try JournalControl.openForReading(folder: folder.journal)
        try blocker.lock(timeout: .seconds(30))
        #expect(await program.send(SIGCONT, when: isStopped))
        #expect(await said.next() == "100")
        #expect(await program.send(signal == SIGKILL ? SIGKILL : SIGSTOP, when: isStopped))
        if signal == SIGKILL { _ = await program.end() }
        blocker.unlock()
        if isMoved { try await store.commit() }
        let before = try folder.files(with: "of-ada")
        #expect(before.contains { $0.hasPrefix("events.sqlite.journal/writer-") })
        let request = try await erase(store)
        #expect(request.installs[0].numbers.reduce(0) { $0 + $1.count } == 50)
        #expect(try folder.files(with: "of-ada") == [] && folder.files(with: "customer-ada") == [])
        #expect(try await store.seqs() == Array(stride(from: 2, through: 100, by: 2)))
        guard signal == SIGCONT else { return }
        program.send(SIGCONT)
        #expect(await said.next() == "102")
        #expect(await program.end().exitCode == 0)
        #expect(try await store.seqs().suffix(3) == [100, 101, 102])
        let ledger = try await store.ledger()
        #expect(ledger.map(\.reason) == [.erased] && ledger[0].count == 50)
    }

    @Test("the id is in one private file until each sink has answered, also after a restart")
    func pending() async throws {
        var store = try folder.open()
        append(to: store)
        try await deliver(to: "file", store, checkpoint: "before")
        let request = try await erase(store, for: ["file", "http"])
        #expect(try folder.files(with: "customer-ada") == ["events.sqlite.erasures"])
        #expect(try folder.files(with: request.installs[0].secret).contains("events.sqlite.erasures") == false)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + ".erasures")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try await store.close()
        store = try folder.open()
        #expect(try await store.erasures(for: "file") == [request])
        #expect(try await store.erasures(for: "others").isEmpty)
        let lease = try #require(try await store.lease("file"))
        let asked = request.under(lease, checkpoint: lease.cursor.checkpoint)
        #expect(asked.checkpoint == "before" && asked.token?.number == lease.token)
        try await store.settle(lease, erasure: request.id, checkpoint: "after")
        #expect(try await store.cursor(of: "file").checkpoint == "after")
        #expect(try await store.erasures(for: "file").isEmpty)
        #expect(try await store.erasures(for: "http") == [request])
        // A former lease changes nothing.
        let former = try #require(try await store.lease("http"))
        let newest = try #require(try await store.lease("http"))
        try await store.settle(former, erasure: request.id, checkpoint: nil)
        #expect(try await store.erasures(for: "http") == [request])
        try await store.settle(newest, erasure: request.id, checkpoint: nil)
        #expect(try folder.files(with: "customer-ada") == [])
    }

    @Test("a second erasure of the user replaces one that is pending, with its numbers and sinks")
    func repeated() async throws {
        let store = try folder.open()
        append(to: store)
        let first = try await erase(store, for: ["file"])
        append(to: store)
        let second = try await erase(store, for: ["http"])
        #expect(second.id != first.id && second.installs[0].numbers == [1...1, 3...3])
        #expect(second.installs[0].through == 4)
        for sink in ["file", "http"] { #expect(try await store.erasures(for: sink) == [second]) }
    }

    @Test("an erasure that a process has begun is completed by the next one", arguments: 0...3)
    func interrupted(step: Int) async throws {
        var store: SQLiteEventStore? = try folder.open()
        append(to: try #require(store))
        try await deliver(to: "a", try #require(store))
        append(to: try #require(store))
        try await store?.perform { worker in
            let file = ErasureFile(of: worker.path, worker.options.system)
            let erasure = try worker.exclusively { db in
                let erasure = try PendingErasure(
                    of: "customer-ada", device: nil, through: 4, for: ["a"], replacing: [], db)
                try file.write([erasure])
                return erasure
            }
            if step > 0 { try worker.freeing { db, _ in try Discards.mark(erasure.removal, db) } }
            if step > 1 { try worker.removeStored([erasure.removal]) }
            if step > 2 { Data("customer-ada".utf8).write(toFile: folder.path + ".erasures.erasing") }
            worker.abandon()
        }
        store = nil
        let next = try folder.open()
        append("later", to: next)
        let request = try await next.erasures(for: "a")
        #expect(request.map(\.userIDs) == [["customer-ada"]] && request[0].installs[0].numbers == [1...1, 3...3])
        #expect(try await next.seqs() == [2, 4, 5, 6])
        #expect(try folder.files(with: "marker-of-ada") == [])
        #expect(try folder.names().filter { $0.contains("eras") } == ["events.sqlite.erasures"])
    }

    @Test("drops that another process has counted are counted once")
    func drops() async throws {
        let (store, other) = (try folder.open(), try folder.open())
        store.recordDrop(.optedOut, at: EventTime(seconds: 1))
        _ = try await erase(other)
        // The erasure has sealed the journal.
        store.recordDrop(.optedOut, at: EventTime(seconds: 2))
        for store in [store, other, store] { try await store.flushToDisk() }
        #expect(try await other.ledger().map(\.count) == [2])
    }

    @Test("an erasure without sinks that was interrupted is completed when the log is pruned")
    func interruptedWithoutSinks() async throws {
        let store = try folder.open()
        append(to: store)
        try await store.perform { worker in
            try worker.exclusively { db in
                let erasure = try PendingErasure(
                    of: "customer-ada", device: nil, through: 2, for: [], replacing: [], db)
                try ErasureFile(of: worker.path, worker.options.system).write([erasure])
            }
        }
        try await store.prune(now: EventTime(seconds: 100))
        #expect(try folder.files(with: "customer-ada") == [])
    }

    @Test("includes events of the anonymous person who turned out to be the user", arguments: StoreUnderTest.allCases)
    func anonymous(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for user in ["device", "other-device", "customer-ada"] { store.append(user: user) }
        let link = store.noteConsent(.link(anonymous: "device", user: "customer-ada", .assumed))
        try await store.storeConsent(link)
        let request = try await store.erase("customer-ada", device: "other-device", for: [])
        #expect(request.userIDs == ["customer-ada", "device"])
        #expect(try await store.seqs() == [2])
        // Also where the device's events are not in the log any more.
        let again = try await store.erase("customer-ada", device: "device", for: [])
        #expect(again.userIDs == ["customer-ada", "device"] && again.installs[0].numbers == [])
    }

    @Test("a sealed batch with an event of the user is void, and its other events are sealed again")
    func sealed() async throws {
        let store = try folder.open()
        append(to: store)
        let batch = try #require(try await store.batch(for: "a"))
        _ = try await erase(store)
        let next = try #require(try await store.batch(for: "a"))
        #expect(next.id != batch.id && next.records.map(\.seq) == [2])
        #expect(next.missing == [MissingNumbers(1...1, .erased)])
    }

    @Test("each generation of the log has its own numbers; copies, dead letters and their events are erased, too")
    func generations() async throws {
        let store = try SQLiteEventStore(
            path: folder.path, options: .init(installID: { UUID().uuidString }, retention: .keepAll))
        append(to: store)
        let lease = try #require(try await store.lease("a"))
        let first = try #require(try await store.batch(for: "b"))
        let other = try #require(try await store.lease("b"))
        let verdicts = [Int64(1): EventVerdict.refused(reason: "bad")]
        _ = try await store.settle(other, batch: first.id, .judged(verdicts, checkpoint: nil), pause: nil)
        let batch = try #require(try await store.nextBatch(lease, through: 2, lasting: .seconds(90)))
        let fork = DeliveryResult.newGeneration(acknowledged: [], reason: "fork")
        _ = try await store.settle(lease, batch: batch.id, fork, pause: nil)
        append(to: store)
        let request = try await erase(store)
        #expect(request.installs.map(\.through) == [2, 4])
        #expect(request.installs.map(\.numbers) == [[1...1], [1...1, 3...3]])
        #expect(Set(request.installs.map(\.secret)).count == 2)
        #expect(try await store.deadLetters().isEmpty)
        #expect(try folder.files(with: "of-ada") == [])
        let rest = try #require(try await store.batch(for: "a"))
        #expect(rest.records.map(\.seq) == [2, 4])
    }

    @Test("the control file forgets former identities of the user, and keeps the present one")
    func identities() async throws {
        let store = try folder.open()
        store.setIdentity(LogIdentity(deviceID: "device-1", userID: "customer-ada"))
        store.setIdentity(LogIdentity(deviceID: "device-2", userID: "customer-bob"))
        store.setIdentity(LogIdentity(deviceID: "device-3"))
        _ = try await erase(store)
        #expect(try folder.files(with: "customer-ada") == [])
        #expect(store.identity?.deviceID == "device-3")
    }

    @Test("while another program reads the database, an erasure throws and states that; it is completed later")
    func reader() async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.busyTimeout = .milliseconds(50)
        let store = try SQLiteEventStore(path: folder.path, options: options)
        append(to: store)
        try await store.commit()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: folder.path, configuration: configuration)
        try queue.inDatabase { db in try db.execute(sql: "BEGIN; SELECT count(*) FROM events") }
        await #expect { _ = try await erase(store, for: ["a"]) } throws: {
            ($0 as? EventLogError)?.code == .inUse && "\($0)".contains("another program is reading the database")
        }
        try queue.inDatabase { db in try db.execute(sql: "COMMIT") }
        try queue.close()
        #expect(try await store.erasures(for: "a").count == 1)
        #expect(try folder.files(with: "of-ada") == [])
    }
}

extension Data {
    fileprivate func write(toFile path: String) { FileManager.default.createFile(atPath: path, contents: self) }
}
