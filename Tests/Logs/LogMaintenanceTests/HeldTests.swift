import EventLog
import EventModel
import LogFixtures
import Testing

@testable import LogMaintenance

@Suite("Held events in the doctor's findings")
struct HeldTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func findings() throws -> [Finding] {
        try LogDoctor(DoctorOptions(now: EventTime(seconds: 1000))).examine(folder.path).filter { $0.check == .held }
    }

    @Test("are counted by reason and purpose, in an open log and in a closed one")
    func counted() async throws {
        let store = try folder.open()
        try await store.storeConsent(store.noteConsent(.policy(.required(for: ["ads", "analytics"]), person: "ada")))
        for purpose: Purpose in [.analytics, "ads", "ads", .exempt, "other"] {
            _ = store.append { seq in
                EventRecord(
                    seq: seq, id: EventID(milliseconds: 1, counter: 0, random: UInt64(seq) << 2),
                    time: EventTime(seconds: 100), name: "launch", line: Array(#"{"user_id":"ada"}"#.utf8),
                    purpose: purpose)
            }
        }
        // Some are only in the journal.
        let found = try findings()
        #expect(
            found.map(\.message) == [
                "2 events for ads held: consent-unknown", "1 event for analytics held: consent-unknown",
            ])
        #expect(found.map { $0.numbers["count"] } == [2, 1] && found.allSatisfy { $0.severity == .note })
        let expected = try DatabaseExamination(path: folder.path).undeliveredNumbers { _ in false }
        #expect(expected.missing(of: 1...5) == [4...5], "a sink's file need not have held events")
        #expect(found[0].advice?.hasPrefix("no action needed: their users have not answered yet") == true)
        try await store.setConsent(.granted, for: [.analytics], of: ["ada"])
        // A grant that only the control file has.
        _ = store.noteConsent(
            .answer(ConsentAnswer(.granted, for: ["ads"], people: ["ada"], time: EventTime(seconds: 1))))
        #expect(try findings().isEmpty)
        try await store.close()
        #expect(try findings().isEmpty)
    }

    @Test("are those that at least one consumer has not received")
    func undelivered() async throws {
        let store = try folder.open()
        for _ in 1...3 { store.append(user: "ada") }
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 2), refused: nil)
        try await store.storeConsent(store.requireConsent(of: "ada"))
        try await store.close()
        let found = try findings()
        #expect(found.map(\.message) == ["1 event for analytics held: consent-unknown"])
    }

    @Test("are removed when the log is next open, after a denial")
    func denied() async throws {
        let store = try folder.open()
        store.append(user: "ada")
        try await store.commit()
        _ = store.noteConsent(.answer(ConsentAnswer(.denied, people: ["ada"], time: EventTime(seconds: 1))))
        let found = try findings()
        #expect(found.map(\.message) == ["1 event for analytics held: opted-out"])
        #expect(found.map(\.advice) == ["no action needed: the next opening of the log removes them"])
        try await store.close()
    }
}
