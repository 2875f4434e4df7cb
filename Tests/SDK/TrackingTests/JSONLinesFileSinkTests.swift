import Foundation
import Testing
import Tracking

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

    /// Delivers as the flusher does; `crashingAt` leaves the delivery of that number out of the log's cursor.
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

    @Test("every event stands there once and in order, whichever delivery a crash cuts off", arguments: 1...6)
    func crashes(delivery: Int) async throws {
        append(10)
        try await flush(sink(FileRotation(maximumBytes: 130)), crashingAt: delivery)
        append(7)
        try await flush(sink(FileRotation(maximumBytes: 130)), crashingAt: delivery)
        try await flush(sink(FileRotation(maximumBytes: 130)))
        #expect(try folder.seqs().flatMap { $0 } == Array(1...17))
        #expect(try folder.names().allSatisfy { !$0.contains("damaged") })
    }

    @Test("a torn last line of a crash is cut off and written anew", arguments: [1, 25, 60])
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

    @Test("a deleted file is written again from the log")
    func deleted() async throws {
        append(5)
        try await flush(sink())
        try FileManager.default.removeItem(atPath: folder.file("events.jsonl"))
        try await flush(sink())
        #expect(try folder.seqs() == [[1, 2, 3, 4, 5]])
    }

    @Test(
        "a file that was cut or replaced is set aside and written again",
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

    @Test("somebody else's file of the same name is set aside, not overwritten")
    func foreignFile() async throws {
        try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder.file("events.jsonl")))
        append(2)
        try await flush(sink())
        #expect(try folder.seqs() == [[1, 2]])
        #expect(try folder.text("events.jsonl.damaged-1") == "notes\n")
    }

    @Test("somebody else's file under a finished file's name is set aside, not overwritten")
    func foreignFinishedFile() async throws {
        let name = "events-0000000000000001.jsonl"
        try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        append(2)
        try await flush(sink(FileRotation(maximumBytes: 5)))
        #expect(try folder.seqs() == [[1], [2]])
        #expect(try folder.text(name + ".damaged-1") == "notes\n")
    }

    @Test("a folder that isn't there delays the delivery and says which file")
    func missingFolder() async throws {
        append(1)
        let sink = JSONLinesFileSink(directory: folder.file("none"), fileName: "events", rotation: .never)
        let records = try await log.read(after: 0, maximumCount: 9, maximumBytes: .max)
        guard case .retry(nil, let reason) = await sink.deliver(EventBatch(records: records, checkpoint: nil)) else {
            Issue.record("delivered into nowhere")
            return
        }
        #expect(reason.contains("none/events.jsonl cannot be written"))
    }
}
