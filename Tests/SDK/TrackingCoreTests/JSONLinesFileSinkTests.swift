import Foundation
import Testing
import TrackingCore

/// A log and its file, driven step by step: a crash is a delivery that is never acknowledged.
@Suite("JSON lines file")
struct JSONLinesFileSinkTests {
    let folder: SinkFolder
    let log = InMemoryEventStore(installID: "install")

    init() throws { folder = try SinkFolder() }

    private func sink(_ rotation: FileRotation = .never) -> JSONLinesFileSink {
        JSONLinesFileSink(directory: folder.path, fileName: "events", rotation: rotation)
    }

    private func append(_ count: Int, every seconds: Int64 = 1) {
        for _ in 0..<count {
            _ = log.append { seq in
                let line = #"{"seq":\#(seq),"pad":"\#(String(repeating: "x", count: 20))"}"#
                return EventRecord(
                    seq: seq, id: EventID(high: 0, low: UInt64(seq)), time: EventTime(seconds: seq * seconds),
                    name: "x",
                    line: Array(line.utf8))
            }
        }
    }

    /// Delivers like the flusher; `crashingAt` omits the acknowledgement of that delivery.
    private func flush(_ sink: JSONLinesFileSink, crashingAt crash: Int? = nil) async throws {
        var cursor = try await log.cursor(of: sink.name)
        if let checkpoint = cursor.checkpoint, let loss = await sink.loss(since: checkpoint) {
            try await log.rewind(sink.name, to: loss.firstSeq - 1)
            cursor = try await log.cursor(of: sink.name)
        }
        for delivery in 1... {
            let records = try await log.read(after: cursor.acknowledged, maximumCount: 4, maximumBytes: .max)
            guard !records.isEmpty else { return }
            let result = await sink.deliver(EventBatch(records: records, checkpoint: cursor.checkpoint))
            if delivery == crash { return }
            guard case .delivered(let seq, let checkpoint) = result else {
                Issue.record("not delivered: \(result)")
                return
            }
            (cursor.acknowledged, cursor.checkpoint) = (seq, checkpoint)
            try await log.acknowledge(cursor, refused: nil)
        }
    }

    /// Two objects simulate two processes: a lock belongs to its descriptor, not to its process.
    @Test("a process that resumes after another has taken over writes nothing")
    func takenOver() async throws {
        append(12)
        let records = try await log.read(after: 0, maximumCount: 12, maximumBytes: .max)
        func batch(_ range: Range<Int>, after checkpoint: String?, _ token: Int64) -> EventBatch {
            EventBatch(
                records: Array(records[range]), checkpoint: checkpoint, token: LeaseToken(series: "a", number: token))
        }
        let (stopped, other) = (sink(), sink())
        let before = await stopped.deliver(batch(0..<4, after: nil, 1))
        guard case .delivered(4, let checkpoint) = before else {
            Issue.record("\(before)")
            return
        }
        // The same batch, and one more.
        let after = await other.deliver(batch(4..<8, after: checkpoint, 2))
        guard case .delivered(8, let next) = after else {
            Issue.record("\(after)")
            return
        }
        _ = await other.deliver(batch(8..<12, after: next, 2))
        let late = await stopped.deliver(batch(4..<8, after: checkpoint, 1))
        guard case .retry(nil, let reason) = late else {
            Issue.record("\(late)")
            return
        }
        #expect(
            reason.hasPrefix("cannot write ")
                && reason.hasSuffix("events.jsonl: another process took over its deliveries"))
        #expect(try folder.seqs() == [Array(1...12)])
        // A recreated log counts from the start.
        let recreated = EventBatch(
            records: [records[0]], checkpoint: nil, token: LeaseToken(series: "b", number: 1))
        guard case .delivered(1, _) = await stopped.deliver(recreated) else {
            Issue.record("not delivered")
            return
        }
    }

    @Test("while another process writes, nothing is written until it has finished")
    func locked() async throws {
        append(2)
        let batch = EventBatch(
            records: try await log.read(after: 0, maximumCount: 2, maximumBytes: .max), checkpoint: nil)
        let lock = open(folder.path + "/.events.jsonl.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(lock, LOCK_EX) == 0)
        guard case .retry(nil, let reason) = await sink().deliver(batch) else {
            Issue.record("it was written")
            return
        }
        #expect(reason.hasPrefix("cannot write ") && reason.hasSuffix("events.jsonl: another process is writing to it"))
        #expect(try folder.names() == [])
        close(lock)
        guard case .delivered(2, _) = await sink().deliver(batch) else {
            Issue.record("it was not written")
            return
        }
    }

    @Test("a file that another process has finished is not written to any more")
    func finishedElsewhere() async throws {
        append(9)
        let records = try await log.read(after: 0, maximumCount: 9, maximumBytes: .max)
        let (first, second) = (sink(), sink(FileRotation(maximumBytes: 130)))
        guard
            case .delivered(4, let checkpoint) = await first.deliver(
                EventBatch(records: Array(records[0..<4]), checkpoint: nil))
        else {
            Issue.record("not delivered")
            return
        }
        // Finishes the file, writes another one of the same length, and ends before acknowledging.
        _ = await second.deliver(EventBatch(records: Array(records[4..<8]), checkpoint: checkpoint))
        if let loss = await first.loss(since: checkpoint ?? "") { Issue.record("\(loss)") }
        _ = await first.deliver(EventBatch(records: Array(records[4..<9]), checkpoint: checkpoint))
        #expect(try folder.seqs() == [[1, 2, 3, 4], [5, 6, 7, 8, 9]])
    }

    @Test(
        "finished files beyond the quota are removed once a later one is acknowledged, and counted across restarts"
    )
    func quota() async throws {
        let clock = FixedClock(now: EventTime(seconds: 4_000_000_000))
        func sink() -> JSONLinesFileSink {
            JSONLinesFileSink(
                directory: folder.path, fileName: "events", rotation: FileRotation(maximumBytes: 130),
                quota: FileQuota(maximumAge: .seconds(86_400)), clock: clock)
        }
        for name in [
            "events.jsonl.damaged-1", "events-0000000000000001.jsonl.damaged-2", "events-0000000000000000.jsonl.gz",
        ] {
            try Data(count: 100).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        // A foreign file.
        for name in ["events-1.jsonl", "other-0000000000000001.jsonl", "events.jsonl.torn-1"] {
            try Data(count: 100).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        append(17)
        try await flush(sink())
        let checkpoint = try #require(FileCheckpoint(try await log.cursor(of: "file:events").checkpoint))
        // The file before the open one stays until the open one is acknowledged; the quota is checked after that.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let left = names.filter { $0.hasPrefix("events-0") }
        #expect(left.count == 1 && names.contains("events.jsonl"))
        #expect(
            Set(names).isSuperset(of: ["events-1.jsonl", "other-0000000000000001.jsonl", "events.jsonl.torn-1"]))
        #expect(!names.contains { $0.contains(".damaged-") || $0.hasSuffix(".gz") })
        #expect(checkpoint.removed.count > 3 && checkpoint.removed.bytes > 300)
        append(17)
        try await flush(sink())
        let next = try #require(FileCheckpoint(try await log.cursor(of: "file:events").checkpoint))
        #expect(next.removed.count > checkpoint.removed.count)
        #expect(next.removed.bytes > checkpoint.removed.bytes)
    }

    private struct FixedClock: TrackingClock {
        let now: EventTime
    }

    @Test("by default, no file of today is removed")
    func noQuota() async throws {
        append(40)
        try await flush(sink(FileRotation(maximumBytes: 130)))
        #expect(try folder.seqs().flatMap { $0 } == Array(1...40))
    }

    @Test("every event is in the file once and in order, whichever delivery a crash interrupts", arguments: 1...6)
    func crashes(delivery: Int) async throws {
        append(10)
        try await flush(sink(FileRotation(maximumBytes: 130)), crashingAt: delivery)
        append(7)
        try await flush(sink(FileRotation(maximumBytes: 130)), crashingAt: delivery)
        try await flush(sink(FileRotation(maximumBytes: 130)))
        #expect(try folder.seqs().flatMap { $0 } == Array(1...17))
        #expect(try folder.names().allSatisfy { !$0.contains("damaged") })
    }

    @Test("an incomplete last line after a crash is rewritten", arguments: [1, 25, 60])
    func tornLine(bytes: Int) async throws {
        append(3)
        try await flush(sink())
        let handle = try #require(FileHandle(forWritingAtPath: folder.file("events.jsonl")))
        try handle.seekToEnd()
        try handle.write(
            contentsOf: Data(#"{"seq":4,"pad":"xxxxxxxxxxxxxxxxxxxx"}{"seq":5,"pad":"xxxxxx"#.utf8.prefix(bytes)))
        try handle.close()
        append(2)
        try await flush(sink())
        #expect(try folder.seqs() == [[1, 2, 3, 4, 5]])
    }

    @Test("more than ten finished files sort by name in the order of their events")
    func rotationBySize() async throws {
        append(60)
        try await flush(sink(FileRotation(maximumBytes: 160)))
        let files = try folder.seqs()
        #expect(files.count > 11)
        #expect(files.flatMap { $0 } == Array(1...60))
        #expect(try folder.names().first == "events-0000000000000001.jsonl")
        for name in try folder.names() { #expect(try folder.text(name).utf8.count <= 160) }
    }

    @Test("a file is finished when its first event is as old as the limit")
    func rotationByAge() async throws {
        append(10, every: 30)
        try await flush(sink(FileRotation(maximumAge: .seconds(90))))
        #expect(try folder.seqs() == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10]])
    }

    @Test("an event larger than the limit has a file of its own")
    func largeEvent() async throws {
        append(3)
        try await flush(sink(FileRotation(maximumBytes: 5)))
        #expect(try folder.seqs() == [[1], [2], [3]])
    }

    @Test("a deleted file is rewritten from the log")
    func deleted() async throws {
        append(5)
        try await flush(sink())
        try FileManager.default.removeItem(atPath: folder.file("events.jsonl"))
        try await flush(sink())
        #expect(try folder.seqs() == [[1, 2, 3, 4, 5]])
    }

    @Test(
        "a truncated or replaced file is set aside and rewritten",
        arguments: [("", false), ("{\"seq\":1", false), ("other\n", true)])
    func changed(content: String, isForeign: Bool) async throws {
        append(5)
        let running = sink()
        try await flush(running)
        try Data(content.utf8).write(to: URL(fileURLWithPath: folder.file("events.jsonl")))
        append(1)
        try await flush(running)
        #expect(try folder.seqs() == [[1, 2, 3, 4, 5, 6]])
        let isAside = try folder.names().contains("events.jsonl.damaged-1")
        #expect(isAside == isForeign, "a torn beginning of ours is not foreign")
        if isAside { #expect(try folder.text("events.jsonl.damaged-1") == content) }
    }

    /// A link to itself simulates a file that can't be opened because the disk fails or too many files are open.
    @Test("a file that can't be read isn't set aside; the delivery is retried")
    func unreadable() async throws {
        let path = folder.path + "/events.jsonl"
        append(4)
        try await flush(sink())
        append(4)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
        let itself = folder.path + String(repeating: "/.", count: 500) + "/events.jsonl"  // as long as the file
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: itself)

        let cursor = try await log.cursor(of: sink().name)
        #expect(await sink().loss(since: try #require(cursor.checkpoint)) == nil)
        let records = try await log.read(after: cursor.acknowledged, maximumCount: 4, maximumBytes: .max)
        let result = await sink().deliver(EventBatch(records: records, checkpoint: cursor.checkpoint))
        guard case .retry(_, let reason) = result else {
            Issue.record("not retried: \(result)")
            return
        }
        #expect(reason.hasPrefix("cannot write \(path): "))
        #expect(try folder.names().allSatisfy { !$0.contains("damaged") })

        unlink(path)
        try FileManager.default.moveItem(atPath: path + ".real", toPath: path)
        try await flush(sink())
        #expect(try folder.text("events.jsonl").split(separator: "\n").count == 8)
    }

    @Test("a foreign file with the same name is set aside, not overwritten")
    func foreignFile() async throws {
        try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder.file("events.jsonl")))
        append(2)
        try await flush(sink())
        #expect(try folder.seqs() == [[1, 2]])
        #expect(try folder.text("events.jsonl.damaged-1") == "notes\n")
    }

    @Test("a foreign file with a finished file's name is set aside, not overwritten")
    func foreignFinishedFile() async throws {
        let name = "events-0000000000000001.jsonl"
        try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        append(2)
        try await flush(sink(FileRotation(maximumBytes: 5)))
        #expect(try folder.seqs() == [[1], [2]])
        #expect(try folder.text(name + ".damaged-1") == "notes\n")
    }

    @Test("a missing folder delays the delivery, and the reason names the file")
    func missingFolder() async throws {
        append(1)
        let sink = JSONLinesFileSink(directory: folder.file("none"), fileName: "events", rotation: .never)
        let records = try await log.read(after: 0, maximumCount: 9, maximumBytes: .max)
        guard case .retry(nil, let reason) = await sink.deliver(EventBatch(records: records, checkpoint: nil)) else {
            Issue.record("delivered into nowhere")
            return
        }
        #expect(reason.hasPrefix("cannot write ") && reason.hasSuffix("/none/events.jsonl: No such file or directory"))
    }
}
