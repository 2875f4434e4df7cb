import EventLog
import EventModel
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents

private struct AdSeen: TrackingEvent {
    static let name = "ad-seen"
    static let purpose: Purpose = "ads"
}

/// Storage of a process that is killed between two values.
private final class CutStorage: KeyValueStorage {
    private let values = InMemoryKeyValueStorage()
    private let left = Locked(Int.max)

    func string(forKey key: String) -> String? { values.string(forKey: key) }

    func set(_ value: String?, forKey key: String) {
        left.withLock { left in
            guard left > 0 else { return }
            left -= 1
            values.set(value, forKey: key)
        }
    }

    func cut(after count: Int) { left.withLock { $0 = count } }
}

/// People who have no id before they answer, with a log that is open all the same.
@Suite("People without an id", .timeLimit(.minutes(5)))
struct UnnamedPersonTests {
    private let dependencies = TestDependencies()

    /// The tracker of the next process, with the same log and storage.
    private func start(
        _ policy: ConsentPolicy, scope: ConsentScope = .person, opensLog: Bool = true
    ) async throws -> Tracker {
        var setup = dependencies.setup()
        setup.consent = policy
        setup.consentScope = scope
        if !opensLog { setup.unopenedConsent = { .unreadable } }
        let tracker = Tracker.open(setup, storage: dependencies.storage) { [log = dependencies.log] in (log, []) }
        do { try await tracker.opened() } catch let error as EventLogError where error.code == .consentUnknown {}
        return tracker
    }

    @Test("an id that the opening makes is stored")
    func stored() async throws {
        for _ in 1...2 { try await start(.required(for: ["ads"], before: .memory)).send(.launch) }
        #expect(Set(try dependencies.strings("user_id")).count == 1)
    }

    @Test("the next person does not have the agreement of the one who has signed out, also after a restart")
    func signOut() async throws {
        let tracker = try await start(.required(before: .memory))
        try await tracker.setConsent(.granted)
        tracker.reset()
        #expect(try await start(.required(before: .memory)).consent == ConsentStatus(.unknown, isAnswered: false))
    }

    @Test(
        "a denial stays in effect after a sign-in and a restart, also with a policy that stores events",
        arguments: [ConsentPolicy.required(before: .memory), .required], [true, false])
    func denial(next policy: ConsentPolicy, opensLog: Bool) async throws {
        let tracker = try await start(.required(before: .memory), opensLog: opensLog)
        try await tracker.setConsent(.denied)
        tracker.identify("ada")
        tracker.identify("")
        if opensLog { try await tracker.setConsent(.denied) }
        #expect(try await start(policy, opensLog: opensLog).consent.value == .denied)
    }

    @Test("an invalid user is no sign-out of a person who has denied consent")
    func invalidUser() async throws {
        let tracker = try await start(.required(before: .memory), opensLog: false)
        try await tracker.setConsent(.denied)
        tracker.identify("")
        try await tracker.close()
        let consent = try await start(.required(before: .memory), opensLog: false).consent
        #expect(consent == ConsentStatus(.denied, isAnswered: true))
    }

    @Test("events before a sign-in are stored once the user agrees, also if the user was signed out in between")
    func signedOut() async throws {
        let tracker = try await start(.required(before: .memory))
        for user in ["cleo", "ada", "cleo"] {
            tracker.send(.search(query: user, page: 1))
            tracker.identify(user)
        }
        try await tracker.setConsent(.granted)
        tracker.identify("ada")
        try await tracker.setConsent(.granted)
        let users = try dependencies.strings("user_id")
        let sessions = try dependencies.strings("session_id")
        #expect(users.count == 3 && Set(users).subtracting(["ada", "cleo"]).count == 1)
        #expect(Set(sessions).isDisjoint(with: users) && sessions.allSatisfy { $0.utf8.first != 2 })
    }

    @Test("an erasure drops the user's waiting events of the time before the sign-in")
    func erasure() async throws {
        let tracker = try await start(.required(for: ["ads"], before: .memory))
        tracker.send(AdSeen())
        tracker.identify("ben")
        tracker.reset()
        try await tracker.erase(user: "ben")
        tracker.identify("ben")
        try await tracker.setConsent(.granted, for: ["ads"])
        try await tracker.flushToDisk()
        #expect(try dependencies.strings("seq") == [])
        #expect(try await dependencies.log.ledger().map(\.reason) == [.erased])
    }

    @Test("with one answer for the device: any user's answer is stored, and an erasure includes anonymous events")
    func device() async throws {
        let unopened = try await start(.required(before: .memory), scope: .device, opensLog: false)
        try await unopened.as(user: "emil")?.setConsent(.denied)
        #expect(dependencies.storage.string(forKey: "denials") != nil)
        dependencies.storage.set(nil, forKey: "denials")

        let tracker = try await start(.assumed, scope: .device)
        tracker.send(.launch)
        tracker.identify("ada")
        try await tracker.erase(user: "ada")
        #expect(try dependencies.strings("seq") == [])
    }

    @Test("after a kill while an identity is stored, the next process continues with the new person", arguments: 0...4)
    func cut(after count: Int) async throws {
        let folder = try LogFolder()
        let log = try folder.open()
        let storage = CutStorage()
        var setup = dependencies.setup()
        setup.consent = .required(before: .memory)
        setup.sharesIdentity = true
        setup.unopenedConsent = { try UnopenedConsent(path: folder.path) }
        let tracker = Tracker.open(setup, storage: storage) { (log, []) }
        try await tracker.as(user: "dora")?.setConsent(.granted)
        tracker.identify("ada")
        try await tracker.setConsent(.denied)
        try await tracker.flushToDisk()
        storage.cut(after: count)
        tracker.reset()
        try await tracker.flushToDisk()
        let next = Tracker.open(setup, storage: storage) { (log, []) }
        await #expect(throws: EventLogError.self) { try await next.opened() }
        #expect(next.consent == ConsentStatus(.denied, isAnswered: false))
    }
}
