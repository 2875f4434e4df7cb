import CommandRunner
import EventLog
import EventModel
import Foundation
import Testing
import TrackingCore

/// Erasures in the files of sinks, and how the sinks continue.
@Suite("trackctl prune --user and sinks")
struct TrackctlSinkErasureTests: ErasureTests {
    let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    @Test("Killed between a sink's file and its checkpoint, the next run makes them consistent")
    func killedBeforeCheckpoint() async throws {
        let text = lines(1...20)
        try await flush(text)
        _ = try folder.file("b.jsonl", others(text).text)
        #expect(try await erase().exitCode == 0)
        var more = TrackctlLine(21)
        more.user = Self.other
        try await flush([more])
        #expect(folder.bytes("b.jsonl") == Array((others(text) + [more]).text.utf8))
        #expect(try folder.names() == [".b.jsonl.lock", "a.sqlite", "b.jsonl"])
    }

    @Test("A sink's file that was truncated is left to its sink, which rewrites it")
    func cutBySomebodyElse() async throws {
        let text = lines(1...20)
        try await flush(text)
        _ = try folder.file("b.jsonl", others(Array(text[..<10])).text)
        #expect(try await erase().exitCode == 0)
        try await flush([], isRewound: true)
        #expect(folder.bytes("b.jsonl") == Array(others(text).text.utf8))
    }

    /// Sends events, and writes all that were sent to the sink's file.
    private func flush(_ lines: [TrackctlLine], isRewound: Bool = false) async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(lines, to: store)
        let sink = JSONLinesFileSink(directory: folder.path, fileName: "b", rotation: .never)
        try await EventFlusher(
            log: store, sinks: [sink], policy: .manual, clock: SystemTrackingClock(), timer: ContinuousClock(),
            diagnostics: { diagnostic in
                if case .sinkRewound = diagnostic, isRewound { return }
                Issue.record("\(diagnostic)")
            }
        ).flush()
        try await store.close()
    }

    @Test("A sink continues after its rewritten file, and writes no event twice", arguments: [true, false])
    func sink(keepsOthers: Bool) async throws {
        let text = keepsOthers ? lines(1...20) : lines(1...20).filter { $0.user == Self.user }
        try await flush(text)
        let result = try await erase()
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(try await trackctl(["doctor", folder.path]).exitCode == 0)
        var more = TrackctlLine(Int64(text.count + 1))
        more.user = Self.other
        try await flush([more])
        let first = keepsOthers ? others(text) : []
        #expect(folder.bytes("b.jsonl") == Array((first + [more]).text.utf8))
        #expect(try folder.names() == [".b.jsonl.lock", "a.sqlite", "b.jsonl"])
    }

    @Test(
        "A delivery that was interrupted after a sink's checkpoint is delivered once, completely",
        arguments: [true, false])
    func cutDelivery(isSinksFile: Bool) async throws {
        let text = lines(1...20)
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(text, to: store)
        // The sink has received ten; its process ended in the middle of the next five.
        let checkpoint = FileCheckpoint(
            firstSeq: isSinksFile ? 1 : 99, firstTime: EventTime(seconds: 1),
            bytes: Int64(Array(text[..<10]).byteCount) + 10)
        try await store.acknowledge(
            ConsumerCursor(consumer: "file:b", acknowledged: 10, checkpoint: checkpoint.text), refused: nil)
        try await store.close()
        _ = try folder.file("b.jsonl", Array(text[..<15]).text + "{\"v\":1,\"us")
        #expect(try await erase().exitCode == 0)
        let kept = others(Array(text[..<(isSinksFile ? 10 : 15)])).text + (isSinksFile ? "" : "{\"v\":1,\"us")
        #expect(folder.bytes("b.jsonl") == Array(kept.utf8))
        guard isSinksFile else { return }
        try await flush([])
        #expect(folder.bytes("b.jsonl") == Array(others(text).text.utf8))
    }
}
