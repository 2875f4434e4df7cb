import EventLog
import EventModel
import Foundation
import LogFixtures

/// A process that has a log open, for tests that need other processes: `log-writer TASK LOG …`. It prints each number
/// that an event gets.
@main
enum LogWriter {
    nonisolated(unsafe) private static var system = LogSystem()  // Set once, before any other thread starts.

    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--wrong-verdicts" {
            arguments.removeFirst()
            system = .misjudging(seed: UInt64(getpid()))
        }
        let task = arguments.popFirst() ?? ""
        let log = arguments.popFirst() ?? ""
        let count = arguments.popFirst().flatMap { Int($0) } ?? 1
        switch task {
        case "send": try await send(log, count: count)
        case "visit": for _ in 0..<count { try await send(log, count: 5) }
        case "burst": try burst(log, count: count)
        case "exec": try becomeAnother(log)
        case "fork": try fork(log)
        case "hold": try hold(log)
        case "stop": try stopWithNumber(log)
        case "people": try await sendOfPeople(log, count: count)
        case "keep": try await keep(log, isHeld: count > 1)
        default:
            FileHandle.standardError.write(Data("log-writer: unknown task \(task)\n".utf8))
            exit(64)
        }
    }

    private static func open(_ log: String) throws -> SQLiteEventStore {
        var options = SQLiteEventStore.Options(installID: { UUID().uuidString }, retention: .keepAll)
        // Several processes use the log in turn, and under ThreadSanitizer a turn may take seconds.
        options.busyTimeout = .seconds(60)
        options.system = system
        return try SQLiteEventStore(path: log, options: options)
    }

    private static func say(_ text: some CustomStringConvertible) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    /// Appends at intervals, then closes.
    private static func send(_ log: String, count: Int) async throws {
        let store = try open(log)
        var numbers = ""
        for _ in 0..<count {
            do { numbers += "\(try store.append(id: UInt64.random(in: 0...(.max))).get().seq)\n" } catch {
                try await store.commit()  // throws the cause
                throw error
            }
            usleep(50)
        }
        try await store.close()
        FileHandle.standardOutput.write(Data(numbers.utf8))
    }

    /// Appends as fast as possible, while nothing is stored.
    private static func burst(_ log: String, count: Int) throws {
        let store = try open(log)
        let blocker = try JournalControl.openForReading(folder: JournalFolder.path(of: log))
        try blocker.lock(timeout: .seconds(5))
        var last: Int64 = 0
        for _ in 0..<count {
            last = try store.append(lineCapacity: 400) {
                .numbered($0, to: $1, length: 400)
            }.get()
        }
        say(last)
        while true { sleep(60) }
    }

    private static func hold(_ log: String) throws {
        let store = try open(log)
        say(try store.append(id: 1).get().seq)
        while true { sleep(60) }
    }

    /// Opens the log and stops; appends events of two users and stops; appends another event of each.
    private static func sendOfPeople(_ log: String, count: Int) async throws {
        let store = try open(log)
        var last = Int64(getpid())
        for (count, marker) in [(0, ""), (count, "marker"), (1, "later")] {
            for _ in 0..<count {
                for user in ["ada", "bob"] {
                    last = try store.append { .of("customer-\(user)", "\(marker)-of-\(user)", seq: $0) }.get().seq
                }
            }
            say(last)
            // Unlike kill(2), it stops before this thread continues.
            if marker != "later" { raise(SIGSTOP) }
        }
        try await store.close()
    }

    /// Appends, then continues as another program with the same process number and start time.
    private static func becomeAnother(_ log: String) throws {
        let store = try open(log)
        say(try store.append(id: 1).get().seq)
        let arguments = [strdup("sleep"), strdup("60"), nil]
        execv("/bin/sleep", arguments)
        exit(70)
    }

    /// Appends, and leaves a child process that inherits everything.
    private static func fork(_ log: String) throws {
        let store = try open(log)
        say(try store.append(id: 1).get().seq)
        // Swift hides fork(2), since most operations are unsafe in the child. Waiting is safe.
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { exit(70) }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            close(1)
            close(2)
            while true { sleep(60) }
        }
        say(child)
        while true { sleep(60) }
    }

    /// Writes a log whose tables all have rows: `Resources/Format5` of `EventLogTests` was made with it. If `isHeld`, ten
    /// more events are only in the journal, and the process waits to be killed.
    private static func keep(_ log: String, isHeld: Bool) async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.maximumPendingBytes = 256 << 10  // a small file
        let store = try SQLiteEventStore(path: log, options: options)
        for number in 1...10 { _ = store.append { contained($0, of: "install-1", id: number) } }
        store.recordDrop(.encoding, at: EventTime(seconds: 50))
        _ = try await store.cursor(of: "file")
        try await store.acknowledge(ConsumerCursor(consumer: "file", acknowledged: 4, checkpoint: "here"), refused: nil)
        try await settle(store) { _ in .judged([3: .refused(reason: "bad", location: "/v")], checkpoint: "c") }
        for number in 11...15 { _ = store.append { contained($0, of: "install-1", id: number) } }
        try await settle(store) { _ in .newGeneration(acknowledged: [11...11], reason: "fork") }
        try await settle(store) { .judged([$0.seqs.lowerBound: .retry(reason: "later")], checkpoint: "d") }
        try await store.setConsent(.granted, of: ["bob"], at: EventTime(seconds: 200))
        try await store.setConsent(.denied, of: ["ada"], at: EventTime(seconds: 201))
        guard isHeld else { return try await store.close() }
        try await store.commit()
        let blocker = try JournalControl.openForReading(folder: JournalFolder.path(of: log))
        try blocker.lock(timeout: .seconds(5))
        let installID = store.installID
        for number in 16...25 { _ = store.append { contained($0, of: installID, id: number) } }
        store.recordDrop(.runaway, at: EventTime(seconds: 60))
        say("kept")
        while true { sleep(60) }
    }

    /// Answers the next batch of the consumer `server`.
    private static func settle(_ store: SQLiteEventStore, _ answer: (EventBatch) -> DeliveryResult) async throws {
        let end = try await store.syncStored()
        guard
            let lease = try await store.beginDelivery(to: "server", lasting: .seconds(90), at: EventTime(seconds: 200)),
            let batch = try await store.nextBatch(lease, through: end, lasting: .seconds(90))
        else { exit(70) }
        let pause = DeliveryPause(
            setAt: ClockReading(time: EventTime(seconds: 500), sinceBoot: .now), length: .seconds(1), isServers: false)
        _ = try await store.settle(lease, batch: batch.id, answer(batch), pause: pause)
        try await store.endDelivery(lease)
    }

    private static func contained(_ seq: Int64, of installID: String, id: Int) -> EventRecord {
        let id = EventID(milliseconds: 100_000, counter: 0, random: UInt64(id) << 2)
        let line = """
            {"v":1,"id":"\(id)","install_id":"\(installID)","seq":\(seq),"session_id":"s","user_id":"bob",\
            "time":100,"schema":"search/1-0-0","event":{"name":"search","query":"x"}}
            """
        return EventRecord(seq: seq, id: id, time: EventTime(seconds: 100), name: "search", line: Array(line.utf8))
    }

    /// Stops after it reserved a number, as any thread can be stopped. When it continues, it finishes its append.
    private static func stopWithNumber(_ log: String) throws {
        let lone = try LoneWriter(log: log, "writer-\(getpid())-stops", isAlive: true)
        var attempts = 0
        let (outcome, _) = lone.writer.append(lineCapacity: 10) { seq, line in
            attempts += 1
            // Another sender is faster three times; after that, the number is reserved before the line is written.
            if attempts <= 3 { lone.control.counter.increment() }
            if attempts == 4 {
                say(seq)
                kill(getpid(), SIGSTOP)
            }
            let record = EventRecord.numbered(seq, id: 77)
            line.copyBytes(from: record.line)
            return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: line.count)
        }
        guard case .accepted(let seq) = outcome else { exit(70) }
        say(seq)
        lone.ring.markGone()
    }
}

extension EventStore {
    fileprivate func append(id: UInt64) -> Result<EventRecord, EventDropped> {
        append { seq in .numbered(seq, id: id) }
    }
}
