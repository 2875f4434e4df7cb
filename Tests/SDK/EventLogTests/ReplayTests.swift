import EventModel
import LogFixtures
import Primitives
import Testing

@testable import EventLog

@Suite("Replay into a log")
struct ReplayTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func event(_ seq: Int64, install: String = "install-1", id: UInt64? = nil) -> RecordedEvent {
        RecordedEvent(record: .numbered(seq, id: id), installID: install) { newInstall, newSeq in
            Array("\(newInstall) \(newSeq) was \(install) \(seq)".utf8)
        }
    }

    private func lines(_ store: any EventStore) async throws -> [String] {
        try await store.all().map { "\($0.seq): \(String(decoding: $0.line, as: UTF8.self))" }
    }

    @Test("an empty log adopts the install and keeps bytes and gaps; a second replay adds nothing")
    func emptyLog() async throws {
        let store = try folder.open()
        let events = [event(3, install: "x"), event(4, install: "x"), event(9, install: "x")]
        var result = try await store.replay(events)
        #expect((result.kept, result.renumbered, result.known) == (3, 0, 0))
        #expect(store.installID == "x")
        result = try await store.replay(events)
        #expect((result.kept, result.renumbered, result.known) == (0, 0, 3))
        #expect(try await lines(store) == ["3: 3.........", "4: 4.........", "9: 9........."])
        #expect(try store.append().get().seq == 10)
    }

    @Test("an event sent during a replay gets another number, and no event is lost")
    func sendingMeanwhile() async throws {
        let store = try folder.open()
        store.append()
        let sent = Locked<[Int64]>([])
        let foreign = RecordedEvent(record: .numbered(1, id: 70), installID: "y") { _, seq in
            // Rewriting a line is the only step of a replay during which a test can send.
            if sent.withLock({ $0.isEmpty }), let record = try? store.append().get() {
                sent.withLock { $0.append(record.seq) }
            }
            return Array("foreign \(seq)".utf8)
        }
        let result = try await store.replay([foreign])
        #expect((result.kept, result.renumbered, result.known) == (0, 1, 0))
        #expect(sent.withLock { $0 } == [2])
        #expect(try store.append().get().seq == 4)
        #expect(
            try await lines(store) == ["1: 1.........", "2: 2.........", "3: foreign 3", "4: 4........."])
    }

    @Test("events of another install, and earlier events of this one, get new numbers and an origin")
    func otherInstall() async throws {
        let store = try folder.open()
        for _ in 1...2 { store.append() }
        let result = try await store.replay([
            event(1, install: "y", id: 70), event(5), event(2, id: 71), event(5, install: "y", id: 70),
        ])
        #expect((result.kept, result.renumbered, result.known) == (1, 2, 1))
        #expect(
            try await lines(store) == [
                "1: 1.........", "2: 2.........", "3: install-1 3 was y 1", "5: 5.........",
                "6: install-1 6 was install-1 2",
            ])
        #expect(store.newest?.seq == 6)
    }
}
