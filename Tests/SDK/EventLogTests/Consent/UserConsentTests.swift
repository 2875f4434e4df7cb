import EventModel
import LogFixtures
import Testing

@testable import EventLog

/// Consent of many users, for senders that look it up for each event.
@Suite("Consent of many users")
struct UserConsentTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private static let purposes: [Purpose] = [.analytics, "ads", "search"]

    /// What a person has denied, by the rule for each purpose.
    private func denied(_ person: String, in store: any EventStore) -> Int {
        Self.purposes.indices.reduce(0) { bits, index in
            let rule = ConsentRule(of: person, for: Self.purposes[index], store.consentRecord(of:))
            return rule.mayStore ? bits : bits | 1 << index
        }
    }

    @Test("the denied purposes of a person are those that the rule denies", arguments: StoreUnderTest.allCases)
    func deniedPurposes(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        let people = ["none", "all", "ads", "all-but-ads", "granted", "device", "user"]
        func expectEqual(_ expected: [Int]?) {
            let found = people.map { store.deniedPurposes(of: ConsentPerson($0), among: Self.purposes) }
            #expect(found == people.map { denied($0, in: store) })
            if let expected { #expect(found == expected) }
        }
        expectEqual([0, 0, 0, 0, 0, 0, 0])
        try await store.setConsent(.denied, of: ["all"])
        try await store.setConsent(.denied, for: ["ads"], of: ["ads"])
        try await store.setConsent(.denied, of: ["all-but-ads"])
        try await store.setConsent(.granted, for: ["ads"], of: ["all-but-ads"])
        try await store.setConsent(.granted, for: Self.purposes, of: ["granted"])
        try await store.setConsent(.denied, of: ["user"])
        _ = store.noteConsent(.link(anonymous: "device", user: "user", .assumed))
        expectEqual([0, 0b111, 0b010, 0b101, 0, 0b111, 0b111])
        try await store.setConsent(.denied, for: ["search"], of: [ConsentRule.everyone])
        expectEqual(nil)
        #expect(denied("none", in: store) == 0b100)
    }

    @Test("a denial is unknown while a record may be in the database only")
    func unreadable() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: ["ada"])
        _ = store.consents.mirror.overflow.increment()
        store.consents.mirror.change()
        #expect(store.deniedPurposes(of: ConsentPerson("bob"), among: Self.purposes) == nil)
        try await store.flushToDisk()
        #expect(store.deniedPurposes(of: ConsentPerson("bob"), among: Self.purposes) == 0)
        #expect(store.deniedPurposes(of: ConsentPerson("ada"), among: Self.purposes) == 0b111)
    }

    @Test("the policy for people without a record holds their events, and no others, also after a kill")
    func others() async throws {
        var store: SQLiteEventStore? = try folder.open()
        func record(_ person: String) -> ConsentStatus? {
            store.map { store in ConsentRule(of: person, store.consentRecord(of:)).status }
        }
        try await store?.setConsent(.granted, of: ["ada"])
        // In effect, but not stored by this process.
        _ = store?.noteConsent(.policy(.required, person: ConsentRule.others))
        #expect(record("bob") == ConsentStatus(.unknown, isAnswered: false))
        store = nil
        store = try folder.open()
        #expect(record("bob") == ConsentStatus(.unknown, isAnswered: false))
        #expect(record("ada") == ConsentStatus(.granted, isAnswered: true))
        for person in ["ada", "bob", "eve"] {
            let line = Array(#"{"user_id":"\#(person)"}"#.utf8)
            let made = store?.append { seq in
                let numbered = EventRecord.numbered(seq)
                return EventRecord(seq: seq, id: numbered.id, time: numbered.time, name: "n", line: line)
            }
            #expect(made != nil)
        }
        try await store?.setConsent(.granted, of: ["bob"])
        let opened = try #require(store)
        let lease = try #require(
            try await opened.beginDelivery(to: "sink", lasting: .seconds(60), at: EventTime(seconds: 0)))
        let batch = try await opened.nextBatch(lease, through: 3, lasting: .seconds(60))
        #expect(batch?.records.map(\.seq) == [1, 2])
    }

    @Test("storing an answer that each process has changes no generation, so that senders look up no consent again")
    func generation() async throws {
        let store = try folder.open()
        let answer = ConsentAnswer(.granted, people: ["ada"], time: EventTime(seconds: 0))
        let before = store.consentGeneration
        let change = store.noteConsent(.answer(answer))
        let noted = store.consentGeneration
        try await store.storeConsent(change)
        #expect(noted != before && store.consentGeneration == noted)
    }

    @Test("changes are stored together, in one transaction")
    func together() async throws {
        let store = try folder.open()
        for person in ["ada", "bob"] {
            let line = Array(#"{"user_id":"\#(person)"}"#.utf8)
            _ = store.append { seq in
                let numbered = EventRecord.numbered(seq)
                return EventRecord(seq: seq, id: numbered.id, time: numbered.time, name: "n", line: line)
            }
        }
        try await store.commit()
        let changes = ["ada", "bob", "carl"].map { person in
            store.noteConsent(
                .answer(
                    ConsentAnswer(
                        person == "bob" ? .granted : .denied, people: [person], time: EventTime(seconds: 0))))
        }
        let before = try await store.onQueue { $0.lastCommit }
        try await store.storeConsents(changes)
        // The answers, the marks and two steps of the removal.
        #expect(try await store.onQueue { $0.lastCommit } - before <= 4)
        #expect(try await store.all().map(\.seq) == [2])
        try await store.close()
        let next = try folder.open()
        #expect(["ada", "bob", "carl"].map { next.consent(of: $0) } == [.denied, .granted, .denied])
    }
}
