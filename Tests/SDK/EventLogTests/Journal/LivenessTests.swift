import CommandRunner
import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// Liveness checks in situations that mislead lookups of process numbers: another container, after `exec`, with a
/// forked child, stopped.
@Suite("Liveness")
struct LivenessTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    /// The numbers that a program printed.
    private func numbers(_ result: CommandResult) -> [Int64] {
        String(decoding: result.stdout, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
    }

    /// Runs programs concurrently until all have ended, and compares the numbers that they printed with the log.
    private func expectAllStored(
        _ log: String, _ programs: [(path: String, arguments: [String])],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let accepted = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for (path, arguments) in programs {
                group.addTask {
                    let result = try await runProgram(path, arguments)
                    #expect(
                        result.exitCode == 0 && result.signal == nil, "\(arguments): \(result.stderr)",
                        sourceLocation: sourceLocation)
                    return numbers(result)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let store = try SQLiteEventStore(path: log, options: .init(installID: { "" }, retention: .keepAll))
        let stored = try await store.seqs()
        #expect(accepted.count > 1000, sourceLocation: sourceLocation)
        let repeated = accepted.count - Set(accepted).count
        #expect(repeated == 0, "a number was drawn twice", sourceLocation: sourceLocation)
        let difference = Set(accepted).symmetricDifference(stored).sorted()
        #expect(difference == [], "accepted but not stored, or stored but not accepted", sourceLocation: sourceLocation)
        let ledger = try EventLogReader(path: log).ledgerRanges()
        let lost = Int64(stored.count) + ledger.reduce(0) { $0 + $1.count }
        #expect(lost == stored.last.map { max($0, ledger.last?.seqs?.upperBound ?? 0) }, sourceLocation: sourceLocation)
        let reasons = Set(ledger.map(\.reason))
        #expect(reasons.isSubset(of: [.interrupted, .damaged]), "\(reasons)", sourceLocation: sourceLocation)
    }

    private func visitors(_ log: String, _ options: [String] = []) throws -> [(path: String, arguments: [String])] {
        let program = try CommandLocation.path(of: "log-writer")
        let space = ["--pid", "--fork", "--mount-proc", program]
        return [(program, options + ["send", log, "8000"])]
            + (1...2).map { _ in ("/usr/bin/unshare", space + options + ["visit", log, "20"]) }
    }

    @Test(
        "accepted events are stored while processes in other PID namespaces open and close the log",
        .enabled(if: Container.isAvailable, "\(Container.requirement)"))
    func namespaces() async throws { try await expectAllStored(folder.path, visitors(folder.path)) }

    @Test(
        "accepted events are stored in an overlay over a killed process's log, and in memory",
        .enabled(if: Container.isAvailable, "\(Container.requirement)"))
    func fileSystems() async throws {
        let disk = try await SmallDisk(kilobytes: 128 << 10)
        try await expectAllStored(disk.path + "/events.sqlite", visitors(disk.path + "/events.sqlite"))

        let lower = try LogFolder()
        let killed = try RunningProgram(command: "log-writer", ["hold", lower.path])
        #expect(await killed.nextLine() == "1")
        killed.send(SIGKILL)
        _ = await killed.end()
        for name in ["upper", "work"] {
            try FileManager.default.createDirectory(atPath: disk.path + "/" + name, withIntermediateDirectories: false)
        }
        let merged = try await Overlay(
            lower: lower.url.path, upper: disk.path + "/upper", work: disk.path + "/work")
        let store = try SQLiteEventStore(path: merged.path + "/events.sqlite", options: .init(installID: { "" }))
        #expect(try await store.seqs() == [1])
        let other = SQLiteEventStore.Options.exclusive
        #expect { _ = try SQLiteEventStore(path: merged.path + "/events.sqlite", options: other) } throws: {
            ($0 as? EventLogError)?.code == .inUse
        }
        try await store.close()
    }

    @Test(
        "wrong liveness results cause no lost and no duplicate events",
        .enabled(if: Container.isAvailable, "\(Container.requirement)"))
    func wrongVerdicts() async throws {
        try await expectAllStored(folder.path, visitors(folder.path, ["--wrong-verdicts"]))
    }

    @Test("the journal of a process that calls exec is taken over")
    func exec() async throws {
        let program = try RunningProgram(command: "log-writer", ["exec", folder.path])
        #expect(await program.nextLine() == "1")
        // The new program inherits the pipe, so the pipe does not show when the program has started.
        try await expectAlone()
        program.send(SIGKILL)
        _ = await program.end()
    }

    @Test("a killed writer whose forked child lives is dead")
    func fork() async throws {
        let program = try RunningProgram(command: "log-writer", ["fork", folder.path])
        var said = program.lines.makeAsyncIterator()
        #expect(await said.next() == "1")
        let child = try #require(await said.next().flatMap { pid_t($0) })
        defer { kill(child, SIGKILL) }
        #expect {
            _ = try SQLiteEventStore(path: folder.path, options: .exclusive)
        } throws: { error in (error as? EventLogError)?.code == .inUse }
        program.send(SIGKILL)
        // Not `end()`, which waits for a descriptor that the child has, too.
        try await expectAlone()
        #expect(kill(child, 0) == 0)
        kill(child, SIGKILL)
        #expect(await program.end().signal == SIGKILL)
    }

    /// Checks that the log can be opened exclusively, has the one event that was sent, and accepts another.
    private func expectAlone() async throws {
        var store: SQLiteEventStore?
        let end = ContinuousClock.now + .seconds(20)
        while store == nil {
            do {
                store = try SQLiteEventStore(path: folder.path, options: .exclusive)
            } catch let error as EventLogError {
                guard error.code == .inUse, ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let log = try #require(store)
        #expect(try await log.seqs() == [1])
        #expect(try log.append().get().seq == 2)
        try await log.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("a sender stopped while drawing a number blocks no other, and sends its event under another number")
    func stopped() async throws {
        let store = try folder.open()
        let program = try RunningProgram(command: "log-writer", ["stop", folder.path])
        var said = program.lines.makeAsyncIterator()
        #expect(await said.next() == "4")
        #expect(try store.append().get().seq == 5)
        try await store.commit()
        #expect(try await store.seqs() == [5])
        program.send(SIGCONT)
        let number = try #require(await said.next().flatMap { Int64($0) })
        _ = await program.end()
        #expect(try await store.seqs() == [5, number])
        #expect(number > 5)
        #expect(
            try await store.all().last?.id == EventRecord.numbered(number, id: 77).id)
    }

    @Test("with a heartbeat, an inactive writer is taken over, and continues in another journal")
    func heartbeat() async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.liveness = .heartbeat
        options.movePause = .milliseconds(1)
        let still = try SQLiteEventStore(path: folder.path, options: options)
        still.append()
        still.recordDrop(.encoding)
        try await still.commit()
        let ring = try #require(JournalFolder.ringNames(folder.journal).first)
        guard case .ring(let shown) = try JournalRing.find(folder: folder.journal, name: ring, isWritable: true) else {
            Issue.record("no ring")
            return
        }
        // From now on its mover sleeps, without a heartbeat. The last heartbeat is a day ahead, because this test may
        // be slow.
        while still.writer.isMoverAwake { try await Task.sleep(for: .milliseconds(2)) }
        still.queue.sync {}
        shown.heartbeat.publish(shown.heartbeat.load() + 86_400)
        #expect {
            _ = try SQLiteEventStore(path: folder.path, options: .exclusive)
        } throws: { error in (error as? EventLogError)?.code == .inUse }
        shown.heartbeat.publish(0)
        let other = try SQLiteEventStore(path: folder.path, options: .exclusive)
        #expect(try other.append().get().seq == 2)
        // The mover wakes up.
        let number = try still.append().get().seq
        still.recordDrop(.encoding)
        #expect(number == 3)
        #expect(try await other.seqs() == [1, 2, 3])
        #expect(try await still.seqs() == [1, 2, 3])
        try await still.commit()
        #expect(
            try await still.ledger() == [LedgerEntry(reason: .encoding, consumer: nil, count: 2, seqs: nil)])
        try await still.close()
        try await other.close()
        #expect(try folder.names() == ["events.sqlite"])
    }
}

extension SQLiteEventStore.Options {
    fileprivate static var exclusive: SQLiteEventStore.Options {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.isExclusive = true
        return options
    }
}
