import CommandRunner
import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// Whether a writer is alive is asked of processes that look-ups of process numbers take for something else: in another
/// container, after `exec`, with a forked child, stopped.
@Suite("Who is alive")
struct LivenessTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    /// The numbers that a program said it was given.
    private func numbers(_ result: CommandResult) -> [Int64] {
        String(decoding: result.stdout, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
    }

    /// Runs programs beside each other until all have ended, and holds what they were told against what the log has.
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
        #expect(repeated == 0, "a number was given out twice", sourceLocation: sourceLocation)
        let difference = Set(accepted).symmetricDifference(stored).sorted()
        #expect(difference == [], "accepted, but not stored, or the reverse", sourceLocation: sourceLocation)
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
        "a writer, and visitors that open and close the log in other PID namespaces: what was accepted is stored",
        .enabled(if: Container.isAvailable, "\(Container.requirement)"))
    func namespaces() async throws { try await expectAllStored(folder.path, visitors(folder.path)) }

    @Test(
        "the same, in an overlay over a log that a killed process has left, and in memory",
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
        "whatever each process thinks of the others, a wrong verdict loses nothing and doubles nothing",
        .enabled(if: Container.isAvailable, "\(Container.requirement)"))
    func wrongVerdicts() async throws {
        try await expectAllStored(folder.path, visitors(folder.path, ["--wrong-verdicts"]))
    }

    @Test("a process that goes on as another program writes no more: its journal is taken over")
    func exec() async throws {
        let program = try RunningProgram(command: "log-writer", ["exec", folder.path])
        #expect(await program.nextLine() == "1")
        // The pipe's end is the new program's, too: nothing says when it has begun.
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
        // Not `end()`: that waits for a descriptor which the child has, too.
        try await expectAlone()
        #expect(kill(child, 0) == 0)
        kill(child, SIGKILL)
        #expect(await program.end().signal == SIGKILL)
    }

    /// The log can be had by one that wants it alone, with the one event that was sent, and goes on.
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

    @Test("a sender that is stopped with a number in its hands holds nobody up, and sends its event under another")
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

    @Test("a heartbeat: a writer that was still for long is taken over, and goes on in another journal")
    func heartbeat() async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.liveness = .heartbeat
        let still = try SQLiteEventStore(path: folder.path, options: options)
        still.append()
        still.recordDrop(.encoding)
        try await still.commit()
        let ring = try #require(JournalFolder.ringNames(folder.journal).first)
        guard case .ring(let shown) = try JournalRing.find(folder: folder.journal, name: ring, isWritable: true) else {
            Issue.record("no ring")
            return
        }
        // Its mover sleeps from now on, and gives no sign of life. The last one is a day ahead: this test may take long.
        try await Task.sleep(for: .milliseconds(800))
        shown.heartbeat.publish(shown.heartbeat.load() + 86_400)
        #expect {
            _ = try SQLiteEventStore(path: folder.path, options: .exclusive)
        } throws: { error in (error as? EventLogError)?.code == .inUse }
        shown.heartbeat.publish(0)
        let other = try SQLiteEventStore(path: folder.path, options: .exclusive)
        #expect(try other.append().get().seq == 2)
        // It wakes up.
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
