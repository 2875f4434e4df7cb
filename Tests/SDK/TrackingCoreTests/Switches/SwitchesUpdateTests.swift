import DeliveryProtocol
import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// Which documents are accepted, when they are fetched, and what is kept.
@Suite("Updates of remote switches", .timeLimit(.minutes(5)))
struct SwitchesUpdateTests {
    private let folder: SinkFolder
    private let dependencies = TestDependencies()

    init() throws { folder = try SinkFolder() }

    private var file: SwitchesFile { SwitchesFile(path: folder.file("switches.json")) }
    private var path: String { folder.file("switches.json") }

    private func sendsSearch(_ app: SwitchedApp) -> Bool {
        app.tracker.send(Search(query: "x", page: 1)) != nil
    }

    private static let off = #""off":["search"]"#

    /// Documents that must not be accepted after version 5.
    private static let rejected: [Rejected] = [
        Rejected("a wrong signature", wronglySigned(), "wrongSignature"),
        Rejected("a signature without the prefix", signedWithoutPrefix(), "wrongSignature"),
        Rejected("an unknown key", Signed.document(6, off, by: Signed.otherKey), "unknownKey"),
        Rejected("a known key's id, signed by another key", signedByOther(), "wrongSignature"),
        Rejected("an older version", Signed.document(4, expires: 20_000, off), "older"),
        Rejected("the same version with other content", Signed.document(5, expires: 20_000, off), "older"),
        Rejected("an unsigned document", Signed.text(6, off), "invalid"),
        Rejected("a document that the schema rejects", Signed.document(6, off + #","sending_limit":0"#), "invalid"),
        Rejected("an expired document", Signed.document(6, expires: 1000, off), "expired"),
        Rejected("not JSON", Array("<html>".utf8), "invalid"),
        Rejected("a document over 64 KiB", Signed.signed(tooLong()), "tooLarge"),
        Rejected("a response over 96 KiB", Array(repeating: 0x20, count: SignedSwitches.maximumBytes + 1), "tooLarge"),
    ]

    private static func wronglySigned() -> [UInt8] {
        let payload = Signed.text(6, off)
        let other = DigestVerifier.signature(of: SignedSwitches.message(Signed.text(7, off)), Signed.key.bytes)
        return SignedSwitches(payload: payload, key: Signed.key.id, signature: other).json
    }

    private static func signedWithoutPrefix() -> [UInt8] {
        let payload = Signed.text(6, off)
        return SignedSwitches(
            payload: payload, key: Signed.key.id, signature: DigestVerifier.signature(of: payload, Signed.key.bytes)
        ).json
    }

    private static func signedByOther() -> [UInt8] {
        let payload = Signed.text(6, off)
        return SignedSwitches(
            payload: payload, key: Signed.key.id,
            signature: DigestVerifier.signature(of: SignedSwitches.message(payload), Signed.otherKey.bytes)
        ).json
    }

    private static func tooLong() -> [UInt8] {
        let document = Signed.text(6, off)
        return document + Array(repeating: 0x20, count: SwitchesDocument.maximumBytes + 1 - document.count)
    }

    @Test("changes nothing and is reported once", arguments: rejected)
    private func rejects(rejected: Rejected) async throws {
        let source = SourceDouble(Signed.document(5, expires: 20_000, #""off":["launch"]"#))
        let app = SwitchedApp(source, file: file, on: dependencies)
        await app.settle()
        let stored = try folder.text("switches.json")
        source.answer(.document(rejected.bytes, tag: nil))
        for _ in 1...2 {
            dependencies.clock.advance(by: .seconds(3600))
            await app.settle()
        }
        #expect(source.tags.count == 3)
        #expect(app.switchReports == ["switches \(rejected.code)"])
        #expect(sendsSearch(app) && app.tracker.send(.launch) == nil)
        #expect(try folder.text("switches.json") == stored)
    }

    @Test("the same rules hold for the first document", arguments: rejected.filter { $0.code != "older" })
    private func rejectsFirst(rejected: Rejected) async throws {
        let app = SwitchedApp(SourceDouble(rejected.bytes), file: file, on: dependencies)
        await app.settle()
        #expect(sendsSearch(app))
        #expect(app.switchReports == ["switches \(rejected.code)"])
        #expect(try folder.names() == [])
    }

    @Test("the same document again is no error, and a newer one replaces it")
    func newer() async throws {
        let source = SourceDouble(Signed.document(5, Self.off))
        let app = SwitchedApp(source, file: file, on: dependencies)
        await app.settle()
        #expect(!sendsSearch(app))
        dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        #expect(source.tags.count == 2 && !sendsSearch(app))
        source.answer(.document(Signed.document(6, expires: 90_000), tag: nil))
        dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        #expect(sendsSearch(app) && app.switchReports == [])
    }

    @Test("an error is reported again after a success")
    func reportedAgain() async throws {
        let source = SourceDouble(Array("x".utf8))
        let app = SwitchedApp(source, on: dependencies)
        await app.settle()
        source.answer(.unchanged)
        dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        source.answer(.document(Array("x".utf8), tag: nil))
        dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        #expect(app.switchReports == ["switches invalid", "switches invalid"])
    }

    @Test("checks happen with flushes, at most once an hour plus jitter; there is no timer")
    func schedule() async throws {
        let (source, timer) = (SourceDouble(), ManualTimer())
        let app = SwitchedApp(
            source, on: dependencies, sinks: [RecordingSink("sink")], policy: FlushPolicy(interval: .seconds(30)),
            timer: timer, jitter: { $0 })
        await app.settle()
        #expect(source.tags.count == 1)
        dependencies.clock.advance(by: .seconds(3959))
        await app.settle()
        #expect(source.tags.count == 1)
        dependencies.clock.advance(by: .seconds(1))
        // The interval's flush, not a timer of the switches.
        #expect(await timer.fire() == .seconds(30))
        await app.settle()
        #expect(source.tags.count == 2)
    }

    @Test("a clock that is set back delays the next check by no more than the interval")
    func clockSetBack() async throws {
        let source = SourceDouble()
        dependencies.clock.advance(by: .seconds(1_000_000))
        let app = SwitchedApp(source, on: dependencies)
        await app.settle()
        dependencies.clock.advance(by: .seconds(-900_000))
        await app.settle()
        #expect(source.tags.count == 1)
        dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        #expect(source.tags.count == 2)
    }

    @Test("a flush of a background event starts no check")
    func background() async throws {
        let source = SourceDouble()
        let (delivered, continuation) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink("sink") { batch in
            continuation.yield()
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let app = SwitchedApp(source, on: dependencies, sinks: [sink], policy: FlushPolicy(onBackground: true))
        await app.settle()
        dependencies.clock.advance(by: .seconds(3600))
        app.tracker.send(.background)
        _ = await delivered.first { _ in true }
        await app.tracker.switchesChecked()
        #expect(source.tags.count == 1)
        await app.settle()
        #expect(source.tags.count == 2)
    }

    static func failure(wait: Duration? = nil, isTransient: Bool = true) -> SwitchesAnswer {
        .failed(SwitchesError(.notFetched, "no response"), wait: wait, isTransient: isTransient)
    }

    @Test("after failures, the next check waits at most 2, 4, 8 … seconds, and at least 1")
    func backOff() async throws {
        let source = SourceDouble([Self.failure()])
        let app = SwitchedApp(source, on: dependencies, jitter: { $0 })
        await app.settle()
        for (count, seconds) in [2, 4, 8, 16].enumerated() {
            dependencies.clock.advance(by: .seconds(seconds) - .microseconds(1))
            await app.settle()
            #expect(source.tags.count == count + 1)
            dependencies.clock.advance(by: .microseconds(1))
            await app.settle()
            #expect(source.tags.count == count + 2)
        }
        #expect(app.switchReports == ["switches notFetched"])
        source.answer(.unchanged)
        dependencies.clock.advance(by: .seconds(32))
        await app.settle()
        source.answer(Self.failure())
        dependencies.clock.advance(by: .seconds(3960))
        await app.settle()
        let count = source.tags.count
        dependencies.clock.advance(by: .seconds(2))
        await app.settle()
        #expect(source.tags.count == count + 1)
    }

    @Test("a wait that the server requests is kept, with jitter; a permanent error waits for the next hour")
    func requestedWait() async throws {
        let source = SourceDouble([Self.failure(wait: .seconds(100)), Self.failure(isTransient: false), .unchanged])
        let app = SwitchedApp(source, on: dependencies, jitter: { $0 })
        await app.settle()
        dependencies.clock.advance(by: .seconds(109))
        await app.settle()
        #expect(source.tags.count == 1)
        dependencies.clock.advance(by: .seconds(1))
        await app.settle()
        #expect(source.tags.count == 2)
        dependencies.clock.advance(by: .seconds(3959))
        await app.settle()
        #expect(source.tags.count == 2)
        dependencies.clock.advance(by: .seconds(1))
        await app.settle()
        #expect(source.tags.count == 3)
    }

    @Test("a wait that the server requests survives a restart, and ends with the next check")
    func requestedWaitAfterRestart() async throws {
        let first = SwitchedApp(SourceDouble([Self.failure(wait: .seconds(100))]), on: dependencies)
        await first.settle()
        dependencies.clock.advance(by: .seconds(99))
        let source = SourceDouble()
        let second = SwitchedApp(source, on: dependencies)
        await second.settle()
        #expect(source.tags.isEmpty)
        dependencies.clock.advance(by: .seconds(2))
        await second.settle()
        #expect(source.tags.count == 1)
        #expect(dependencies.storage.string(forKey: "switches_pause") == nil)
        for damaged in ["", "x", "1 2 3", "1000000000 999999999", "1000000000 -1"] {
            dependencies.storage.set(damaged, forKey: "switches_pause")
            let source = SourceDouble()
            let third = SwitchedApp(source, on: dependencies)
            await third.settle()
            #expect(source.tags.count == 1)
        }
    }

    @Test("neither sending nor delivering waits for a check")
    func neverBlocks() async throws {
        let gate = OpeningGate()
        let sink = RecordingSink("sink")
        let app = SwitchedApp(SourceDouble(gate: gate), on: dependencies, sinks: [sink])
        app.tracker.send(.launch)
        await app.tracker.flush()
        #expect(sink.delivered == [[1]])
        try await app.tracker.flushToDisk()
        gate.open()
        await app.tracker.switchesChecked()
    }

    @Test("a file of the app is read before the first event and then at most once a minute; errors are reported")
    func appFile() async throws {
        func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: folder.file("own.json"))) }
        try write(Signed.text(1, Self.off))
        let gate = OpeningGate()
        let app = SwitchedApp(
            SwitchesInFile(path: folder.file("own.json")), trust: .unsigned, on: dependencies,
            opening: { await gate.pass() })
        app.tracker.send(Search(query: "x", page: 1))
        gate.open()
        await app.settle()
        #expect(!sendsSearch(app) && app.seqs == [])
        try write(Signed.text(2))
        dependencies.clock.advance(by: .seconds(59))
        await app.settle()
        #expect(!sendsSearch(app))
        dependencies.clock.advance(by: .seconds(1))
        await app.settle()
        #expect(sendsSearch(app))
        for (bytes, code) in [
            (Signed.text(1, Self.off), "older"), (Signed.text(3, #""off":1"#), "invalid"),
            (Array(repeating: 0x20, count: SwitchesDocument.maximumBytes + 1), "tooLarge"),
        ] {
            try write(bytes)
            dependencies.clock.advance(by: .seconds(60))
            await app.settle()
            #expect(sendsSearch(app) && app.switchReports.last == "switches \(code)")
        }
        try FileManager.default.removeItem(atPath: folder.file("own.json"))
        dependencies.clock.advance(by: .seconds(60))
        await app.settle()
        #expect(sendsSearch(app) && app.switchReports.last == "switches notFetched")
    }

    @Test("a setup with an error is reported, and the app works without switches")
    func setup() async throws {
        var setup = dependencies.setup()
        setup.switches = SwitchesSetup { throw SwitchesError(.noVerifier, "no verifier") }
        let tracker = Tracker.open(setup, storage: dependencies.storage) { [dependencies] in (dependencies.log, []) }
        tracker.send(.launch)
        await tracker.flush()
        await tracker.switchesChecked()
        #expect(dependencies.log.records.count == 1)
        #expect(dependencies.diagnostics.withLock { $0 } == ["switches noVerifier"])
    }
}
