import DeliveryProtocol
import Foundation
import PowerCuts
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// The stored document: across restarts, damaged, and shared by processes.
@Suite("Stored remote switches", .timeLimit(.minutes(5)))
struct SwitchesStorageTests {
    private let folder: SinkFolder
    private let dependencies = TestDependencies()
    private static let off = #""off":["search"]"#

    init() throws { folder = try SinkFolder() }

    private var file: SwitchesFile { SwitchesFile(path: folder.file("switches.json")) }
    private var path: String { folder.file("switches.json") }

    private func sendsSearch(_ app: SwitchedApp) -> Bool {
        app.tracker.send(Search(query: "x", page: 1)) != nil
    }

    /// A document with the signature of another one.
    private static func changed() -> [UInt8] {
        let other = DigestVerifier.signature(of: SignedSwitches.message(Signed.text(7, off)), Signed.key.bytes)
        return SignedSwitches(payload: Signed.text(6, off), key: Signed.key.id, signature: other).json
    }

    @Test("the newest document survives a restart, is in effect before the first event, and is a private file")
    func persistence() async throws {
        let first = SwitchedApp(
            SourceDouble([.document(Signed.document(5, Self.off), tag: "\"five\"")]), file: file, on: dependencies)
        await first.settle()
        #expect(!sendsSearch(first))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try folder.names() == ["switches.json"])

        let gate = OpeningGate()
        let source = SourceDouble([.unchanged])
        let second = SwitchedApp(source, file: file, on: TestDependencies(), opening: { await gate.pass() })
        let held = second.tracker.send(Search(query: "x", page: 1))
        #expect(held?.isPending == true)
        gate.open()
        await second.settle()
        #expect(!sendsSearch(second) && second.seqs == [])
        #expect(source.tags == ["\"five\""])
        // The version is known, too.
        source.answer(.document(Signed.document(4), tag: nil))
        second.dependencies.clock.advance(by: .seconds(3600))
        await second.settle()
        #expect(!sendsSearch(second) && second.switchReports == ["switches older"])
    }

    @Test("an expired document is kept for its version, without effect")
    func expiredStored() async throws {
        let first = SwitchedApp(SourceDouble(Signed.document(5, expires: 1010, Self.off)), file: file, on: dependencies)
        await first.settle()
        dependencies.clock.advance(by: .seconds(10))
        let source = SourceDouble(Signed.document(4, Self.off))
        let second = SwitchedApp(source, file: file, on: dependencies)
        await second.settle()
        #expect(sendsSearch(second) && second.switchReports == ["switches older"])
    }

    private static let damagedFiles: [Rejected] = [
        Rejected("a changed document", changed(), "wrongSignature"), Rejected("an empty file", [], "invalid"),
        Rejected("half a document", Array(Signed.document(6, off).dropLast(30)), "invalid"),
        Rejected("another key", Signed.document(6, off, by: Signed.otherKey), "unknownKey"),
        Rejected("a long file", Array(repeating: 0x20, count: SignedSwitches.maximumBytes + 1), "tooLarge"),
    ]

    @Test(
        "a damaged or changed stored document is reported and ignored, and the next document replaces it",
        arguments: damagedFiles)
    private func damaged(file damage: Rejected) async throws {
        try Data(damage.bytes).write(to: URL(fileURLWithPath: path))
        let source = SourceDouble()
        let app = SwitchedApp(source, file: file, on: dependencies)
        await app.settle()
        #expect(sendsSearch(app) && app.switchReports.first == "switches \(damage.code)")
        source.answer(.document(Signed.document(1, Self.off), tag: nil))
        dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        #expect(!sendsSearch(app))
        let next = SwitchedApp(SourceDouble(), file: file, on: TestDependencies())
        await next.settle()
        #expect(!sendsSearch(next) && next.switchReports == [])
    }

    @Test("a damaged stored document and a failing source are each reported once, however often they are read")
    func twoErrors() async throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        let source = SourceDouble([SwitchesUpdateTests.failure()])
        let app = SwitchedApp(source, file: file, on: dependencies)
        await app.settle()
        for _ in 1...3 {
            dependencies.clock.advance(by: .seconds(60))
            await app.settle()
        }
        #expect(source.tags.count == 4)
        #expect(app.switchReports == ["switches invalid", "switches notFetched"])
    }

    @Test("a document that can't be stored is in effect until the process ends, and reported")
    func notStored() async throws {
        let file = SwitchesFile(path: folder.file("missing/switches.json"))
        let app = SwitchedApp(SourceDouble(Signed.document(1, Self.off)), file: file, on: dependencies)
        await app.settle()
        #expect(!sendsSearch(app) && app.switchReports == ["switches notStored"])
    }

    @Test("after a power failure during a change, the file has the old or the new document")
    func powerFailure() async throws {
        let (old, new) = (Signed.document(1), Signed.document(2, Self.off))
        try Data(old).write(to: URL(fileURLWithPath: path))
        let disk = try RecordedDisk(folder.path)
        let file = SwitchesFile(path: path, files: disk)
        let app = SwitchedApp(SourceDouble(new), file: file, on: dependencies)
        await app.settle()
        #expect(!sendsSearch(app) && app.switchReports == [])
        #expect(try folder.bytes("switches.json") == new)
        #expect(disk.contents(of: path) == [old, new] && disk.contentsNow(of: path) == [new])
    }

    @Test("a symbolic link at the path of the file is neither read nor replaced")
    func link() async throws {
        let target = folder.file("target")
        try Data(Signed.document(9, Self.off)).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let app = SwitchedApp(SourceDouble(), file: file, on: dependencies)
        await app.settle()
        #expect(sendsSearch(app) && app.switchReports.first == "switches notStored")
    }

    @Test("two processes share the file: the highest version wins, in the file and in both processes")
    func shared() async throws {
        let (sources, others) = ((SourceDouble(), SourceDouble()), TestDependencies())
        let first = SwitchedApp(sources.0, file: file, on: dependencies)
        let second = SwitchedApp(sources.1, file: file, on: others)
        await first.settle()
        await second.settle()
        sources.0.answer(.document(Signed.document(7, Self.off), tag: nil))
        dependencies.clock.advance(by: .seconds(3600))
        await first.settle()
        // The second one got its older document before it could see the file.
        sources.1.answer(.document(Signed.document(6), tag: nil))
        others.clock.advance(by: .seconds(3600))
        await second.settle()
        #expect(!sendsSearch(first) && !sendsSearch(second))
        #expect(second.switchReports == ["switches older"])
        let stored = try SignedSwitches(Array(Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(try SwitchesDocument(stored.payload).version == 7)
    }

    @Test("a document that another process replaces during the fetch is not overwritten with an older one")
    func replacedMeanwhile() async throws {
        let (gate, stored) = (OpeningGate(), Signed.document(7, Self.off))
        let source = SourceDouble([.document(Signed.document(6), tag: nil)], gate: gate)
        let app = SwitchedApp(source, file: file, on: dependencies)
        await source.called()
        try Data(stored).write(to: URL(fileURLWithPath: path))
        gate.open()
        await app.settle()
        #expect(!sendsSearch(app) && app.switchReports == [])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(stored))
    }
}
