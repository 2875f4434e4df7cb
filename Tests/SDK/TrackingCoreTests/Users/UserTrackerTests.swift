import Dispatch
import EventLog
import EventModel
import Foundation
import JSONLines
import Primitives
import Testing
import TrackingDomainEvents
import TrackingTesting

@testable import TrackingCore

/// Users of one log: `tracker.as(user:)`.
@Suite("Users of a server", .timeLimit(.minutes(5)))
struct UserTrackerTests: OpeningSuite {
    let dependencies = TestDependencies()
    let gate = OpeningGate()
    private let sink = AcceptingSink()

    private func tracker(
        _ policy: ConsentPolicy = .assumed, scope: ConsentScope = .person, cachedUsers: Int = 10_000,
        limit: SendingLimit? = nil, log: (any EventStore)? = nil, isOpen: Bool = true
    ) async throws -> Tracker {
        var setup = dependencies.setup()
        setup.consent = policy
        setup.consentScope = scope
        setup.cachedUsers = cachedUsers
        setup.sendingLimit = limit
        let tracker = Tracker.open(setup, storage: dependencies.storage) {
            [gate, sink, log = log ?? dependencies.log] in
            BlockedThread.wait { await gate.pass() }
            return (log, [sink])
        }
        guard isOpen else { return tracker }
        gate.open()
        try await tracker.opened()
        return tracker
    }

    private func user(_ id: String, of tracker: Tracker) throws -> UserTracker { try #require(tracker.as(user: id)) }

    private func delivered(_ tracker: Tracker) async throws -> [String] {
        await tracker.flush()
        return try sink.batches.flatMap(\.records).map { try JSONParser.parse($0.line)["user_id"]?.stringValue ?? "" }
    }

    @Test("each event has its user, and a session that neither other users nor the tracker have")
    func separate() async throws {
        let tracker = try await tracker()
        tracker.identify("server")
        for _ in 1...2 {
            tracker.send(.launch)
            for id in ["ada", "bob"] { try user(id, of: tracker).send(.launch) }
        }
        #expect(try dependencies.strings("user_id") == ["server", "ada", "bob", "server", "ada", "bob"])
        let sessions = try dependencies.strings("session_id")
        #expect(Set(sessions[..<3]).count == 3 && sessions[3...] == sessions[..<3])
        #expect(dependencies.log.records.map(\.seq) == Array(1...6))
        #expect(tracker.userID == "server")
    }

    @Test("sign-ins and sign-outs of the tracker change no user's session")
    func identity() async throws {
        let tracker = try await tracker()
        let ada = try user("ada", of: tracker)
        ada.send(.launch)
        tracker.identify("server")
        ada.send(.launch)
        tracker.reset()
        ada.send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 1)
        #expect(try Set(dependencies.strings("user_id")) == ["ada"])
    }

    @Test(
        "an id of 1 to 128 characters is valid",
        arguments: [("a", true), ("", false), ("é", true)]
            + [128, 129].map { (String(repeating: "é", count: $0), $0 == 128) })
    func validity(id: String, isValid: Bool) async throws {
        let user = try await tracker().as(user: id)
        #expect((user != nil) == isValid)
        #expect(user?.userID == (isValid ? id : nil))
    }

    @Test(
        "lines and containers have ids that JSON escapes, and ids that differ only in Unicode's form",
        arguments: [#"a"b\c"#, "🙂", "e\u{301}", "\u{e9}", String(repeating: "\"", count: 128)])
    func texts(id: String) async throws {
        let tracker = try await tracker()
        let seen = Locked<[String]>([])
        let subscription = tracker.dispatcher.subscribe { container in
            seen.withLock { $0 += [container.userID, container.sessionID, container.installID] }
        }
        for _ in 1...2 { #expect(try user(id, of: tracker).send(.launch) != nil) }
        subscription.cancel()
        let session = try dependencies.strings("session_id")[0]
        let expected = [id, session, "install", id, session, "install"]
        #expect(seen.withLock { $0.map { Array($0.utf8) } } == expected.map { Array($0.utf8) })
        let users = try dependencies.strings("user_id").map { Array($0.utf8) }
        #expect(users == [Array(id.utf8), Array(id.utf8)])
        // The same text for Swift, but another user.
        let other = id.decomposedStringWithCanonicalMapping
        try user(Array(other.utf8) == Array(id.utf8) ? "x" : other, of: tracker).send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 2)
    }

    // MARK: Sessions

    @Test("a user's session ends after 30 minutes without an event, and after 24 hours")
    func sessionEnd() async throws {
        let tracker = try await tracker()
        let ada = try user("ada", of: tracker)
        ada.send(.launch)
        dependencies.clock.advance(by: .seconds(30 * 60))
        try user("bob", of: tracker).send(.launch)
        ada.send(.launch)
        dependencies.clock.advance(by: .seconds(30 * 60) + .microseconds(1))
        let start = dependencies.clock.now
        while dependencies.clock.now.duration(since: start) <= .seconds(24 * 3600) {
            ada.send(.launch)
            dependencies.clock.advance(by: .seconds(30 * 60))
        }
        let users = try dependencies.strings("user_id")
        let sessions = try zip(users, dependencies.strings("session_id")).filter { $0.0 == "ada" }.map(\.1)
        #expect(sessions[0] == sessions[1])
        #expect(Set(sessions[2..<50]).count == 1 && sessions[2] != sessions[1])
        #expect(sessions.count == 51 && !sessions[..<50].contains(sessions[50]))
    }

    @Test("a clock that goes back keeps the session")
    func clockGoesBack() async throws {
        let ada = try await user("ada", of: tracker())
        ada.send(.launch)
        dependencies.clock.advance(by: .seconds(-3600))
        ada.send(.launch)
        dependencies.clock.advance(by: .seconds(3600 + 20 * 60))
        ada.send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 1)
    }

    @Test(
        "a user who was replaced in the cache, and each one after a restart, starts a new session",
        arguments: [1, 2, 100])
    func cache(size: Int) async throws {
        let tracker = try await tracker(cachedUsers: size)
        for _ in 1...2 { for number in 0..<size { try user("\(number)", of: tracker).send(.launch) } }
        #expect(try Set(dependencies.strings("session_id")).count == size)
        for number in 0..<3 * size { try user("other-\(number)", of: tracker).send(.launch) }
        for number in 0..<size { try user("\(number)", of: tracker).send(.launch) }
        #expect(try Set(dependencies.strings("session_id")).count == 5 * size)
        let restarted = try await self.tracker(cachedUsers: size)
        try user("\(size - 1)", of: restarted).send(.launch)
        #expect(try Set(dependencies.strings("session_id")).count == 5 * size + 1)
        let users = try dependencies.strings("user_id")
        #expect(users.suffix(size + 1) == (0..<size).map(String.init) + ["\(size - 1)"])
    }

    @Test("a user who sends events stays in the cache while others are replaced")
    func secondChance() async throws {
        let tracker = try await tracker(cachedUsers: 10)
        let ada = try user("ada", of: tracker)
        for number in 0..<1000 {
            ada.send(.launch)
            try user("\(number)", of: tracker).send(.launch)
        }
        let users = try dependencies.strings("user_id")
        let sessions = try zip(users, dependencies.strings("session_id")).filter { $0.0 == "ada" }.map(\.1)
        #expect(sessions.count == 1000 && Set(sessions).count == 1)
    }

    @Test("users leave the cache in the order of the clock algorithm", arguments: [1, 12, 48, 200])
    func clock(size: Int) async throws {
        let tracker = try await tracker(cachedUsers: size)
        var random = SplitMix64(seed: UInt64(size))
        var cached: [(id: Int, wasUsed: Bool)] = []
        var next = 0
        // The first event of a tracker may look a user up twice.
        tracker.send(.launch)
        var startsSession = [true]
        for _ in 0..<3000 {
            let id = Int.random(in: 0..<3 * size, using: &random)
            try user("\(id)", of: tracker).send(.launch)
            if let index = cached.firstIndex(where: { $0.id == id }) {
                cached[index].wasUsed = true
                startsSession.append(false)
                continue
            }
            startsSession.append(true)
            if cached.count < size {
                cached.append((id, false))
                continue
            }
            while cached[next].wasUsed {
                cached[next].wasUsed = false
                next = (next + 1) % size
            }
            cached[next] = (id, false)
            next = (next + 1) % size
        }
        var sessions: Set<String> = []
        #expect(try dependencies.strings("session_id").map { sessions.insert($0).inserted } == startsSession)
    }

    @Test("eight threads with a thousand users each: each line has its user and one session", arguments: [10_000, 500])
    func threads(cachedUsers: Int) async throws {
        let tracker = try await tracker(cachedUsers: cachedUsers)
        let seen = Locked<[String: String]>([:])
        let subscription = tracker.dispatcher.subscribe { container in
            guard let query = container.event(as: Search.self)?.query else { return }
            seen.withLock { $0[query] = container.userID }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<1000 {
                let id = "user-\(number * 8 + thread)"
                for _ in 1...2 { tracker.as(user: id)?.send(.search(query: id, page: 1)) }
            }
        }
        subscription.cancel()
        var sessions: [String: Set<String>] = [:]
        for record in dependencies.log.records {
            let line = try JSONParser.parse(record.line)
            let id = try #require(line["user_id"]?.stringValue)
            #expect(line["event"]?["value"]?["query"]?.stringValue == id)
            sessions[id, default: []].insert(try #require(line["session_id"]?.stringValue))
        }
        #expect(dependencies.log.records.count == 16_000 && sessions.count == 8000)
        #expect(sessions.values.reduce(Set()) { $0.union($1) }.count == sessions.values.map(\.count).reduce(0, +))
        if cachedUsers == 10_000 { #expect(sessions.values.allSatisfy { $0.count == 1 }) }
        #expect(seen.withLock { seen in seen.count == 8000 && seen.allSatisfy { $0.key == $0.value } })
    }

    @Test("after a restart, a session that users' events are between starts at its oldest event")
    func sessionStart() async throws {
        for restart in 0..<60 {
            let tracker = try await tracker()
            for number in 0..<5 { try user("\(restart)-\(number)", of: tracker).send(.launch) }
            tracker.send(.launch)
            dependencies.clock.advance(by: .seconds(25 * 60))
        }
        let users = try dependencies.strings("user_id")
        let own = try zip(users, dependencies.strings("session_id")).filter { $0.0.count == 36 }.map(\.1)
        let day = Int(.seconds(24 * 3600) / .seconds(25 * 60)) + 1
        #expect(own.count == 60)
        #expect(Set(own[..<day]).count == 1 && Set(own[day...]).count == 1 && own[day] != own[0])
    }

    // MARK: Consent

    @Test("answers of a user and of the tracker's person are separate")
    func answers() async throws {
        let tracker = try await tracker()
        let (ada, bob) = try (user("ada", of: tracker), user("bob", of: tracker))
        try await ada.setConsent(.denied)
        #expect(ada.consent == ConsentStatus(.denied, isAnswered: true))
        #expect(bob.consent == ConsentStatus(.granted, isAnswered: false))
        #expect(tracker.consent == ConsentStatus(.granted, isAnswered: false))
        #expect(ada.send(.launch) == nil && bob.send(.launch) != nil && tracker.send(.launch) != nil)
        try await tracker.setConsent(.denied)
        tracker.reset()
        #expect(tracker.send(.launch) == nil && bob.send(.launch) != nil)
        try await ada.setConsent(.granted)
        #expect(ada.send(.launch) != nil && tracker.send(.launch) == nil)
        #expect(dependencies.diagnostics.withLock { $0 } == Array(repeating: "dropped launch opted-out", count: 3))
    }

    @Test("a denied event that can't be encoded is dropped for the denial")
    func denied() async throws {
        struct Failing: TrackingEvent {
            static let name = "failing"
            func encode(to encoder: any Encoder) throws { throw OpeningFailure() }
        }
        let ada = try await user("ada", of: tracker())
        try await ada.setConsent(.denied)
        #expect(ada.send(Failing()) == nil)
        #expect(dependencies.diagnostics.withLock { $0 } == ["dropped failing opted-out"])
    }

    @Test("a denial removes the user's waiting events only")
    func removal() async throws {
        let tracker = try await tracker(.required)
        let (ada, bob) = try (user("ada", of: tracker), user("bob", of: tracker))
        for user in [ada, bob, ada] { user.send(.launch) }
        #expect(try await delivered(tracker) == [])
        try await ada.setConsent(.denied)
        #expect(try dependencies.strings("user_id") == ["bob"])
        try await bob.setConsent(.granted)
        #expect(try await delivered(tracker) == ["bob"])
    }

    @Test("with a policy that requires an answer, a user's events wait, also after a restart with another policy")
    func required() async throws {
        var tracker = try await tracker(.required)
        try user("ada", of: tracker).send(.launch)
        #expect(try user("ada", of: tracker).consent == ConsentStatus(.unknown, isAnswered: false))
        #expect(try await delivered(tracker) == [])
        tracker = try await self.tracker()
        #expect(try user("ada", of: tracker).consent == ConsentStatus(.unknown, isAnswered: false))
        #expect(try await delivered(tracker) == [])
        try await user("ada", of: tracker).setConsent(.granted)
        #expect(try await delivered(tracker) == ["ada"])
    }

    @Test("a user's answer for a purpose leaves the others as the policy has them")
    func purposes() async throws {
        let tracker = try await tracker(.required(for: [.ads]))
        let ada = try user("ada", of: tracker)
        #expect(ada.consent(for: .ads).value == .unknown && ada.consent.value == .granted)
        for event in 1...2 {
            ada.send(.launch)
            ada.send(AdShown())
            ada.send(CrashSeen())
            if event == 1 { try await ada.setConsent(.denied, for: [.ads]) }
        }
        #expect(ada.consent(for: .ads) == ConsentStatus(.denied, isAnswered: true))
        #expect(dependencies.log.records.map(\.name) == ["launch", "crash-seen", "launch", "crash-seen"])
        try await ada.setConsent(.denied)
        #expect(ada.send(.launch) == nil && ada.send(CrashSeen()) != nil)
    }

    @Test("an event of a purpose that no event had before is dropped after a denial of all")
    func laterPurpose() async throws {
        let tracker = try await tracker()
        let ada = try user("ada", of: tracker)
        ada.send(.launch)
        try await ada.setConsent(.denied)
        try await ada.setConsent(.granted, for: [.analytics])
        ada.send(.launch)
        #expect(ada.send(AdShown()) == nil && ada.send(.launch) != nil)
    }

    @Test("with one answer for the log, it is every user's")
    func deviceScope() async throws {
        let tracker = try await tracker(scope: .device)
        let (ada, bob) = try (user("ada", of: tracker), user("bob", of: tracker))
        bob.send(.launch)
        try await ada.setConsent(.denied)
        #expect(tracker.consent.value == .denied && bob.consent == ConsentStatus(.denied, isAnswered: true))
        #expect(bob.send(.launch) == nil && tracker.send(.launch) == nil)
        try await tracker.setConsent(.granted)
        #expect(bob.send(.launch) != nil && ada.consent.value == .granted)
    }

    @Test("answers that arrive while one is being stored are stored together, in their order")
    func storedTogether() async throws {
        let log = CountingLog(dependencies.log)
        let tracker = try await tracker(log: log)
        let first = Task { try await user("first", of: tracker).setConsent(.denied) }
        await log.arrived()
        let others = (1...20).map { number in
            Task { try await user("\(number)", of: tracker).setConsent(number == 7 ? .denied : .granted) }
        }
        while try (1...20).contains(where: { try !user("\($0)", of: tracker).consent.isAnswered }) {
            await Task.yield()
        }
        log.open()
        try await first.value
        for other in others { try await other.value }
        #expect(log.counts.withLock { $0 } == [1, 20])
        #expect(try user("7", of: tracker).consent.value == .denied)
    }

    @Test("flushing and other answers do not wait until the events of a denial are removed")
    func removedLater() async throws {
        let log = RemovingLog(dependencies.log)
        let tracker = try await tracker(log: log)
        let (ada, bob) = try (user("ada", of: tracker), user("bob", of: tracker))
        for user in [ada, bob] { user.send(.launch) }
        let isRemoved = Locked(false)
        let denial = Task {
            try await ada.setConsent(.denied)
            #expect(isRemoved.withLock { $0 })
        }
        while !log.hasRemovals { await Task.yield() }
        try await bob.setConsent(.granted)
        #expect(try await delivered(tracker) == ["bob"])
        try await tracker.flushToDisk()
        isRemoved.withLock { $0 = true }
        log.remove()
        try await denial.value
    }

    // MARK: Before the log is open

    @Test("events before the log is open get their numbers in order, with their users")
    func held() async throws {
        let tracker = try await tracker(isOpen: false)
        let ada = try user("ada", of: tracker)
        #expect(ada.send(.launch)?.isPending == true)
        tracker.send(.background)
        tracker.identify("server")
        tracker.send(.background)
        ada.send(.launch)
        gate.open()
        try await tracker.opened()
        let device = try #require(dependencies.storage.string(forKey: "device_id"))
        #expect(try dependencies.strings("user_id") == ["ada", device, "server", "ada"])
        let sessions = try dependencies.strings("session_id")
        #expect(sessions[0] == sessions[3] && Set(sessions).count == 2)
    }

    @Test("answers before the log is open are the user's, and remove the user's earlier events")
    func heldAnswers() async throws {
        let tracker = try await tracker(isOpen: false)
        let (ada, bob) = try (user("ada", of: tracker), user("bob", of: tracker))
        for user in [ada, bob] { user.send(.launch) }
        tracker.send(.launch)
        tracker.process(.consent(.denied, of: "ada"))
        #expect(ada.consent == ConsentStatus(.denied, isAnswered: true) && bob.consent.value == .unknown)
        #expect(ada.send(.launch) == nil && bob.send(.launch) != nil)
        tracker.process(.consent(.denied))
        tracker.process(.consent(.granted, of: "ada"))
        ada.send(.launch)
        #expect(tracker.send(.launch) == nil)
        gate.open()
        try await tracker.opened()
        #expect(try dependencies.strings("user_id") == ["bob", "bob", "ada"])
    }

    @Test("sending with a durability waits for the user's event")
    func durability() async throws {
        let tracker = try await tracker(isOpen: false)
        let ada = try user("ada", of: tracker)
        async let receipt = ada.send(.launch, reaching: .survivesPowerLoss)
        gate.open()
        #expect(try await receipt?.seq == 1)
        #expect(try await ada.send(.launch, reaching: .buffered)?.seq == 2)
    }

    @Test("the log may continue as another install: the next line has its id, and the same session")
    func newInstall() async throws {
        let log = RenamedLog(dependencies.log)
        let tracker = try await tracker(log: log)
        let ada = try user("ada", of: tracker)
        ada.send(.launch)
        log.name.withLock { $0 = "second" }
        try await tracker.setConsent(.granted)
        ada.send(.launch)
        #expect(try dependencies.strings("install_id") == ["first", "second"])
        #expect(try Set(dependencies.strings("session_id")).count == 1)
    }
}

/// Counts the changes of consent in each call, and delays the first one.
private final class CountingLog: ForwardingEventStore {
    let next: any EventStore
    let counts = Locked<[Int]>([])
    private let gate = OpeningGate()
    private let arrival = OpeningGate()

    init(_ next: any EventStore) { self.next = next }

    func open() { gate.open() }
    func arrived() async { await arrival.pass() }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }

    func storeConsents(_ changes: [NumberedConsentChange]) async throws {
        let isFirst = counts.withLock { counts in
            counts.append(changes.count)
            return counts.count == 1
        }
        if isFirst {
            arrival.open()
            await gate.pass()
        }
        try await next.storeConsents(changes)
    }
}

/// Stores denials, and does not report that their events are removed before ``remove()``.
private final class RemovingLog: ForwardingEventStore {
    let next: any EventStore
    private let removals = Locked<[@Sendable () -> Void]>([])

    init(_ next: any EventStore) { self.next = next }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }

    func storeConsents(
        _ changes: [NumberedConsentChange], whenRemoved: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) async throws {
        try await next.storeConsents(changes)
        if changes.contains(where: { $0.records.values.contains { $0.state == .denied } }) {
            removals.withLock { $0.append { whenRemoved(.success(())) } }
        } else {
            whenRemoved(.success(()))
        }
    }

    var hasRemovals: Bool { removals.withLock { !$0.isEmpty } }

    func remove() { for removal in removals.withLock({ $0 }) { removal() } }
}

/// A log whose install can be renamed.
private final class RenamedLog: ForwardingEventStore {
    let next: any EventStore
    let name = Locked("first")

    init(_ next: any EventStore) { self.next = next }

    var installID: String { name.withLock { $0 } }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }
}
