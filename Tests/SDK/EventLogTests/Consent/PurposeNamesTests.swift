import EventModel
import LogFixtures
import Testing

@testable import EventLog

@Suite("The purposes that the processes of a log know")
struct PurposeNamesTests {
    private let memory = SharedMemory(PurposeNames.size)
    private var names: PurposeNames { PurposeNames(memory.bytes) }

    @Test("have a slot each, as long as there are slots; exempt and invalid names have none")
    func slots() {
        let long = Purpose(String(repeating: "a", count: 64))
        for purpose in ["ads", .exempt, "No Name", long, "ads"] { names.add(purpose) }
        #expect(names.all == ["ads", long])
        let many = (1...20).map { Purpose("purpose-\($0)") }
        for purpose in many { names.add(purpose) }
        #expect(names.all == ["ads", long] + many.prefix(PurposeNames.slotCount - 2))
    }

    @Test("are found again if a process ended while it added one, or a name is damaged")
    func interrupted() {
        names.add("ads")
        names.add("research")
        let second = 8 * 9
        SharedWord(memory.bytes, offset: second + 8).publish(0)
        #expect(names.all == ["ads"])
        names.add("research")
        #expect(names.all == ["ads", "research"])
        SharedWord(memory.bytes, offset: second).publish(7)
        names.add("research")
        #expect(names.all == ["ads", "research"])
    }

    @Test("are those of all processes: a new person inherits denials for each")
    func inherited() async throws {
        let folder = try LogFolder()
        let first = try folder.open()
        let next = try folder.open()
        // Never stored in the database.
        _ = first.noteConsent(
            .answer(ConsentAnswer(.denied, for: ["ads"], people: ["one"], time: EventTime(seconds: 1))))
        #expect(next.purposes == ["ads"])
        let change = next.noteConsent(.reset(former: "one", wasAnonymous: true, anonymous: "two", .assumed))
        #expect(change.records[ConsentSubject("two", for: "ads")]?.state == .inherited)
        #expect(next.consentRecord(of: ConsentSubject("two", for: "ads"))?.state == .inherited)
        #expect(next.consentRecord(of: ConsentSubject("two", for: .analytics)) == nil)
    }

    @Test("are known before the log is opened, with a log that is open, killed or closed")
    func unopened() async throws {
        let folder = try LogFolder()
        let store = try folder.open()
        let answer = ConsentAnswer(.granted, for: ["research"], people: ["ada"], time: EventTime(seconds: 1))
        try await store.storeConsent(store.noteConsent(.answer(answer)))
        #expect(try UnopenedConsent(path: folder.path).purposes == ["research"])
        try await store.close()
        #expect(try UnopenedConsent(path: folder.path).purposes == ["research"])
    }

    @Test("survive a clean close")
    func stored() async throws {
        let folder = try LogFolder()
        let store = try folder.open()
        store.addPurposes(["ads", .exempt])
        store.append(user: "ada")
        try await store.close()
        let next = try folder.open()
        #expect(next.purposes == ["ads"])
        try await next.close()
    }
}
