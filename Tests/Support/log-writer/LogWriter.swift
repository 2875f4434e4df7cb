import EventLog
import EventModel
import Foundation
import LogFixtures

/// A process that has a log open, for tests that need other processes: `log-writer TASK LOG …`. It prints each number
/// that an event gets.
@main
enum LogWriter {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--wrong-verdicts" {
            arguments.removeFirst()
            Verdicts.invertAtRandom(seed: UInt64(getpid()))
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
        default:
            FileHandle.standardError.write(Data("log-writer: unknown task \(task)\n".utf8))
            exit(64)
        }
    }

    private static func open(_ log: String) throws -> SQLiteEventStore {
        var options = SQLiteEventStore.Options(installID: { UUID().uuidString }, retention: .keepAll)
        // Several processes use the log in turn, and under ThreadSanitizer a turn may take seconds.
        options.busyTimeout = .seconds(60)
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
