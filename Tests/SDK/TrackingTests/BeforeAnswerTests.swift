import CommandRunner
import EventLog
import Foundation
import Primitives
import Testing
import TrackingCore
import TrackingTesting

@testable import Tracking

private struct StepSeen: TrackingEvent {
    static let name = "step-seen"
    let step: Int
}

private struct AdSeen: TrackingEvent {
    static let name = "ad-seen"
    static let purpose = Purpose.ads
    let step: Int
}

extension Purpose {
    fileprivate static let ads: Self = "ads"
}

private enum GuideRoute: RouteCommand { case home }

private struct PolicyShown: TrackingEvent {
    static let name = "policy-shown"
    static let purpose = Purpose.exempt
    let step: Int
}

/// Trackers that store nothing before the answer, with real files.
@Suite("Nothing before the answer", .timeLimit(.minutes(5)))
struct BeforeAnswerTests {
    private let folder: TemporaryFolder
    private let reports = Locked<[String]>([])
    private let clock = ManualTrackingClock(EventTime(seconds: 1_700_000_000))

    init() throws { folder = try TemporaryFolder() }

    private func start(_ consent: ConsentPolicy, _ change: (inout TrackingConfiguration) -> Void = { _ in }) -> Tracker
    {
        .start(
            configuration: TrackingConfiguration(folder: folder.path("app/tracking"), consent: consent) {
                $0.clock = clock
                $0.flushPolicy = .manual
                change(&$0)
            },
            diagnostics: { [reports] diagnostic in
                let text =
                    switch diagnostic {
                    case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
                    case .droppedRepeatedly(let name, let reason, let count):
                        "dropped \(name) \(reason.rawValue) \(count) times"
                    default: "\(diagnostic)"
                    }
                reports.withLock { $0.append(text) }
            })
    }

    /// The names of all files in the folder; nil if the folder is missing.
    private var names: [String]? {
        FileManager.default.subpaths(atPath: folder.path("app")).map { $0.filter { $0 != "tracking" }.sorted() }
    }

    private func stored() throws -> [String: String] {
        try FileKeyValueStorage.peek(folder.path("app/tracking/tracking.json"))
    }

    private var log: String { folder.path("app/tracking/events.sqlite") }

    private func events() throws -> [JSONValue] {
        try EventLogReader(path: log).read(after: 0).map { try JSONParser.parse($0.line) }
    }

    private func steps() throws -> [Int64?] { try events().map { $0["event"]?["value"]?["step"]?.integerValue } }

    private func expectUnanswered(_ body: () async throws -> Void) async {
        let error = await #expect(throws: EventLogError.self) { try await body() }
        #expect(error?.code == .consentUnknown)
    }

    @Test("events wait in memory without a file; an agreement gives them numbers in the order of the calls")
    func agreement() async throws {
        let tracker = start(.required(before: .memory))
        #expect(tracker.send(StepSeen(step: 1))?.isPending == true)
        await expectUnanswered { try await tracker.opened() }
        clock.advance(by: .seconds(60))
        tracker.send(StepSeen(step: 2))
        await tracker.flush()
        await expectUnanswered { try await tracker.flushToDisk() }
        await expectUnanswered { try await tracker.send(StepSeen(step: 3), reaching: .survivesPowerLoss) }
        clock.advance(by: .seconds(3600))
        tracker.identify("ada")
        tracker.send(StepSeen(step: 4))
        #expect(names == nil)
        #expect(tracker.consent == ConsentStatus(.unknown, isAnswered: false))
        #expect(tracker.userID == "ada")
        try await tracker.setConsent(.granted)
        try await tracker.opened()
        tracker.send(StepSeen(step: 5))
        await tracker.flush()
        let events = try events()
        #expect(try steps() == [1, 2, 3, 4, 5])
        #expect(events.map { $0["seq"]?.integerValue } == [1, 2, 3, 4, 5])
        #expect(events.map { $0["time"]?.integerValue } == [0, 60, 60, 3660, 3660].map { 1_700_000_000 + $0 })
        let sessions = events.map { $0["session_id"]?.stringValue }
        #expect(sessions[0] == sessions[1] && sessions[2] != sessions[3] && sessions[3] == sessions[4])
        #expect(events.map { $0["user_id"]?.stringValue }[3...] == ["ada", "ada"])
        #expect(events[0]["user_id"]?.stringValue == (try stored()["device_id"]))
        #expect(reports.withLock { $0 } == [])
        try await tracker.close()
    }

    @Test("the end of the process leaves nothing")
    func end() async throws {
        let tracker = start(.required(before: .memory))
        for step in 1...3 { tracker.send(StepSeen(step: step)) }
        tracker.identify("ada")
        tracker.reset()
        try await tracker.close()
        #expect(names == nil)
        #expect(reports.withLock { $0 } == ["dropped step-seen unanswered", "dropped step-seen unanswered 2 times"])
        #expect(tracker.send(StepSeen(step: 4)) == nil)
        try await tracker.setConsent(.granted)
        #expect(names == nil)
    }

    @Test("a denial is stored alone, without an id; the next start creates nothing, until the person agrees")
    func denial() async throws {
        var tracker = start(.required(before: .memory))
        tracker.send(StepSeen(step: 1))
        tracker.identify("ada")
        tracker.send(StepSeen(step: 2))
        try await tracker.setConsent(.denied)
        #expect(try stored().keys.sorted() == ["denials"])
        #expect(names == ["tracking/.tracking.json.lock", "tracking/tracking.json"])
        #expect(tracker.send(StepSeen(step: 3)) == nil)
        try await tracker.close()
        tracker = start(.required(before: .memory))
        await expectUnanswered { try await tracker.opened() }
        #expect(tracker.consent == ConsentStatus(.denied, isAnswered: true))
        #expect(tracker.send(StepSeen(step: 4)) == nil)
        #expect(names == ["tracking/.tracking.json.lock", "tracking/tracking.json"])
        clock.advance(by: .seconds(1))
        try await tracker.setConsent(.granted)
        tracker.send(StepSeen(step: 5))
        try await tracker.close()
        #expect(try steps() == [5])
        #expect(try stored()["denials"] == nil)
        #expect(try EventLogReader(path: log).answers().map(\.isGranted) == [false, true])
        tracker = start(.required(before: .memory))
        try await tracker.opened()
        #expect(tracker.consent == ConsentStatus(.granted, isAnswered: true))
        try await tracker.close()
    }

    @Test(
        "after a denial and a sign-out, the next person inherits the denial and has not answered, also after a restart")
    func inheritance() async throws {
        var tracker = start(.required(before: .memory))
        try await tracker.setConsent(.denied)
        tracker.reset()
        for _ in 1...2 {
            #expect(tracker.consent == ConsentStatus(.denied, isAnswered: false))
            try await tracker.close()
            tracker = start(.required(before: .memory))
            await expectUnanswered { try await tracker.opened() }
        }
        try await tracker.setConsent(.granted)
        tracker.send(StepSeen(step: 1))
        try await tracker.close()
        #expect(try steps() == [1])
    }

    @Test("where an agreement is stored, the log is opened at the start; after a kill, too", arguments: [true, false])
    func storedAgreement(isClosed: Bool) async throws {
        let first = start(.required)
        try await first.opened()
        try await first.setConsent(.granted)
        if isClosed { try await first.close() }
        let tracker = start(.required(before: .memory))
        try await tracker.opened()
        #expect(tracker.consent.isGranted)
        tracker.send(StepSeen(step: 1))
        try await tracker.flushToDisk()
        #expect(try steps() == [1])
        try await tracker.close()
        if !isClosed { try await first.close() }
    }

    @Test("where only a person without an answer is stored, no file changes", arguments: [true, false])
    func storedPerson(isClosed: Bool) async throws {
        let first = start(.required)
        first.send(StepSeen(step: 1))
        try await first.flushToDisk()
        if isClosed { try await first.close() }
        let before = names
        let tracker = start(.required(before: .memory))
        tracker.send(StepSeen(step: 2))
        await expectUnanswered { try await tracker.opened() }
        #expect(names == before)
        // The person's stored events are removed, too.
        try await tracker.setConsent(.denied)
        #expect(try steps() == [])
        try await tracker.close()
        if !isClosed { try await first.close() }
    }

    @Test("an answer in another process is seen in the foreground")
    func foreground() async throws {
        let (app, other) = (start(.required(before: .memory)), start(.required))
        app.send(StepSeen(step: 1))
        try await other.opened()
        await expectUnanswered { try await app.opened() }
        try await other.setConsent(.granted)
        await expectUnanswered { try await app.opened() }
        app.process(.becameActive)
        try await app.opened()
        #expect(app.consent.isGranted)
        try await app.flushToDisk()
        #expect(try steps().first == 1)
        for tracker in [app, other] { try await tracker.close() }
    }

    @Test("with nothing, events are counted only; exempt ones wait")
    func nothing() async throws {
        let tracker = start(.required(before: .nothing))
        await expectUnanswered { try await tracker.opened() }
        for step in 1...3 { #expect(tracker.send(StepSeen(step: step)) == nil) }
        #expect(tracker.send(PolicyShown(step: 4)) != nil)
        #expect(names == nil)
        try await tracker.setConsent(.granted)
        try await tracker.opened()
        tracker.send(StepSeen(step: 5))
        tracker.reset()
        #expect(tracker.send(StepSeen(step: 6)) == nil)
        #expect(tracker.send(PolicyShown(step: 7))?.isPending == true)
        try await tracker.setConsent(.denied)
        try await tracker.flushToDisk()
        #expect(try steps() == [4, 5, 7])
        let ledger = try EventLogReader(path: log).ledger()
        #expect(ledger.filter { $0.reason == .unanswered }.map(\.count) == [4])
        try await tracker.close()
    }

    @Test("an exempt event is stored at a denial, with the ids that it needs")
    func exempt() async throws {
        let tracker = start(.required(before: .memory))
        tracker.send(StepSeen(step: 1))
        tracker.send(PolicyShown(step: 2))
        await expectUnanswered { try await tracker.opened() }
        #expect(names == nil)
        try await tracker.setConsent(.denied)
        try await tracker.flushToDisk()
        #expect(try steps() == [2])
        #expect(try events()[0]["user_id"]?.stringValue == stored()["device_id"])
        #expect(try stored()["device_id"]?.utf8.count == 36)
        tracker.send(PolicyShown(step: 3))
        #expect(tracker.send(StepSeen(step: 4)) == nil)
        try await tracker.close()
        #expect(try steps() == [2, 3])
    }

    @Test("a denial stores the user's exempt event, also one from before another user's visit")
    func exemptOfUser() async throws {
        let tracker = start(.required(before: .nothing))
        await expectUnanswered { try await tracker.opened() }
        tracker.identify("ada")
        tracker.send(PolicyShown(step: 1))
        for user in ["cleo", "ada"] { tracker.identify(user) }
        try await tracker.setConsent(.denied)
        try await tracker.flushToDisk()
        #expect(try events().map { $0["user_id"]?.stringValue } == ["ada"])
        try await tracker.close()
    }

    @Test("erasing a user erases an exempt event from before the sign-in", arguments: [ConsentScope.person, .device])
    func erasedExempt(scope: ConsentScope) async throws {
        let tracker = start(.required(before: .memory)) { $0.consentScope = scope }
        tracker.send(PolicyShown(step: 1))
        await expectUnanswered { try await tracker.opened() }
        tracker.identify("ada")
        try await tracker.setConsent(.denied)
        try await tracker.flushToDisk()
        #expect(try steps() == [1])
        try await tracker.erase(user: "ada")
        #expect(try steps() == [])
        try await tracker.close()
    }

    @Test(
        "an answer for a purpose that neither plan nor events name lets an exempt event flow",
        arguments: ["before", "after", "former process"])
    func exemptOfUnnamedPurpose(answered: String) async throws {
        var tracker = start(.required(before: .memory))
        if answered == "after" { tracker.send(PolicyShown(step: 1)) }
        await expectUnanswered { try await tracker.opened() }
        try await tracker.setConsent(.denied, for: ["research"])
        if answered == "former process" {
            try await tracker.close()
            tracker = start(.required(before: .memory))
        }
        if answered != "after" { tracker.send(PolicyShown(step: 1)) }
        try await tracker.flushToDisk()
        #expect(try steps() == [1])
        #expect(tracker.consent.value == .unknown)
        try await tracker.close()
    }

    @Test("a denial for some purposes survives another denial in the next process")
    func denials() async throws {
        let first = start(.required(before: .memory)) { $0.consentScope = .device }
        try await first.setConsent(.denied, for: [.analytics, .ads])
        try await first.close()
        // Without a step of the clock.
        let next = start(.required(before: .memory)) { $0.consentScope = .device }
        try await next.setConsent(.denied, for: ["research"])
        next.send(PolicyShown(step: 1))
        try await next.flushToDisk()
        for purpose in [.analytics, .ads, "research"] as [Purpose] {
            #expect(next.consent(for: purpose) == ConsentStatus(.denied, isAnswered: true))
        }
        try await next.close()
    }

    @Test("after a denial in the process before, the next person has not answered")
    func nextPerson() async throws {
        let first = start(.required(before: .memory))
        try await first.setConsent(.denied)
        try await first.close()
        let next = start(.required(for: [.analytics], before: .memory)) { $0.purposes = [.analytics, .ads] }
        next.reset()
        await expectUnanswered { try await next.opened() }
        #expect(next.consent == ConsentStatus(.denied, isAnswered: false))
        try await next.close()
    }

    @Test("events of a purpose without an answer wait in memory while the others flow")
    func purposes() async throws {
        let tracker = start(.required(for: [.ads], before: .memory)) { $0.purposes = [.analytics, .ads] }
        tracker.send(AdSeen(step: 1))
        tracker.send(StepSeen(step: 2))
        try await tracker.opened()
        #expect(tracker.send(AdSeen(step: 3))?.isPending == true)
        tracker.send(StepSeen(step: 4))
        await expectUnanswered { try await tracker.flushToDisk() }
        #expect(try steps() == [2, 4])
        try await tracker.setConsent(.granted, for: [.ads])
        tracker.send(AdSeen(step: 5))
        try await tracker.flushToDisk()
        #expect(try steps() == [2, 4, 1, 3, 5])
        #expect(Set(try events().map { $0["session_id"]?.stringValue }).count == 1)
        #expect(Set(try events().map { $0["user_id"]?.stringValue }).count == 1)
        try await tracker.setConsent(.denied, for: [.ads])
        #expect(tracker.send(AdSeen(step: 6)) == nil)
        try await tracker.close()
    }

    @Test("the first event of a purpose that the process did not know waits")
    func newPurpose() async throws {
        let tracker = start(.required(before: .memory))
        try await tracker.setConsent(.granted)
        try await tracker.opened()
        tracker.send(StepSeen(step: 1))
        #expect(tracker.send(AdSeen(step: 2))?.isPending == true)
        tracker.send(StepSeen(step: 3))
        await expectUnanswered { try await tracker.flushToDisk() }
        #expect(try steps() == [1, 3])
        try await tracker.close()
    }

    @Test("after a sign-out, the former id is removed, and the next person's is made at the agreement")
    func signOut() async throws {
        let tracker = start(.required(before: .memory))
        let devices = Locked<[String]>([])
        let environment = TrackingEnvironment<GuideRoute>(tracker)
        let subscription = environment.device.dispatcher.subscribe { action in
            devices.withLock { $0.append(action.deviceID) }
        }
        defer { subscription.cancel() }
        try await tracker.setConsent(.granted)
        try await tracker.opened()
        tracker.send(StepSeen(step: 1))
        try await tracker.flushToDisk()
        let first = try #require(try stored()["device_id"])
        tracker.reset()
        #expect(environment.device.store.state.deviceID == "")
        #expect(tracker.send(StepSeen(step: 2))?.isPending == true)
        clock.advance(by: .seconds(3600))
        tracker.identify("ada")
        tracker.send(StepSeen(step: 3))
        await tracker.flush()
        #expect(try stored()["device_id"] == nil && stored()["user_id"] == nil)
        await expectUnanswered { try await tracker.flushToDisk() }
        try await tracker.setConsent(.granted)
        tracker.send(StepSeen(step: 4))
        try await tracker.flushToDisk()
        let events = try events()
        #expect(try steps() == [1, 2, 3, 4])
        let second = try #require(try stored()["device_id"])
        #expect(second != first)
        #expect(events.map { $0["user_id"]?.stringValue } == [first, second, "ada", "ada"])
        let sessions = events.map { $0["session_id"]?.stringValue }
        #expect(Set(sessions[..<3]).count == 3 && sessions[2] == sessions[3])
        #expect(sessions.allSatisfy { $0?.utf8.count == 36 })
        #expect(devices.withLock { $0.last } == second)
        try await tracker.close()
    }

    @Test("an anonymous person's events that wait in memory are dropped at a sign-out, and at a denial")
    func dropped() async throws {
        let tracker = start(.required(before: .memory))
        try await tracker.setConsent(.granted)
        try await tracker.opened()
        tracker.reset()
        tracker.send(StepSeen(step: 1))
        tracker.reset()
        #expect(reports.withLock { $0 } == ["dropped step-seen unanswered"])
        tracker.send(StepSeen(step: 2))
        try await tracker.setConsent(.denied)
        #expect(reports.withLock { $0.last } == "dropped step-seen opted-out")
        try await tracker.flushToDisk()
        #expect(try steps() == [])
        // The log has it, without an id.
        #expect(try stored()["device_id"] == nil && stored()["denials"] == nil)
        try await tracker.close()
        let next = start(.required(before: .memory))
        await expectUnanswered { try await next.opened() }
        #expect(next.consent == ConsentStatus(.denied, isAnswered: true))
        try await next.close()
    }

    @Test("a damaged log is reported, and repaired when the person agrees")
    func damaged() async throws {
        let first = start(.required)
        first.send(StepSeen(step: 1))
        try await first.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: log))
        let end = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(end) - 4096))
        try file.close()
        let tracker = start(.required(before: .memory))
        tracker.send(StepSeen(step: 2))
        await expectUnanswered { try await tracker.opened() }
        #expect(reports.withLock { $0.count } == 1)
        try await tracker.setConsent(.granted)
        try await tracker.flushToDisk()
        #expect(try steps().last == 2)
        try await tracker.close()
    }

    @Test("the newest events are dropped at the limit, and counted")
    func limit() async throws {
        let tracker = start(.required(before: .memory)) { $0.maximumHeldBytes = 40 }
        await expectUnanswered { try await tracker.opened() }
        for step in 1...6 { tracker.send(StepSeen(step: step)) }
        try await tracker.setConsent(.granted)
        try await tracker.flushToDisk()
        #expect(try steps() == [1, 2, 3, 4])
        tracker.reset()
        for step in 1...6 { tracker.send(StepSeen(step: step)) }
        try await tracker.setConsent(.granted)
        try await tracker.flushToDisk()
        #expect(try steps() == [1, 2, 3, 4, 1, 2, 3, 4])
        #expect(try EventLogReader(path: log).ledger().filter { $0.reason == .unanswered }.map(\.count) == [4])
        try await tracker.close()
    }

    @Test("with the scope device, the answer of one person opens the log for all")
    func device() async throws {
        let tracker = start(.required(before: .memory)) { $0.consentScope = .device }
        tracker.identify("ada")
        tracker.send(StepSeen(step: 1))
        await expectUnanswered { try await tracker.opened() }
        try await tracker.setConsent(.granted)
        tracker.identify("bob")
        tracker.send(StepSeen(step: 2))
        try await tracker.close()
        #expect(try events().map { $0["user_id"]?.stringValue } == ["ada", "bob"])
    }

    @Test("a process that stores events makes the id of a person who has none in another process")
    func otherPolicy() async throws {
        let (app, widget) = (start(.required(before: .memory)), start(.required))
        try await widget.setConsent(.granted)
        app.process(.becameActive)
        try await app.opened()
        app.reset()
        app.send(StepSeen(step: 1))
        widget.send(StepSeen(step: 2))
        try await widget.flushToDisk()
        let second = try #require(try events().last?["user_id"]?.stringValue)
        #expect(second.utf8.count == 36)
        try await widget.setConsent(.granted)
        app.send(StepSeen(step: 3))
        try await app.flushToDisk()
        #expect(try steps().suffix(3) == [2, 1, 3])
        #expect(try events().suffix(3).map { $0["user_id"]?.stringValue } == [second, second, second])
        for tracker in [app, widget] { try await tracker.close() }
    }

    @Test("an erasure drops the events that wait in memory, and opens a log only if there is one")
    func erasure() async throws {
        let tracker = start(.required(before: .memory))
        tracker.send(StepSeen(step: 1))
        tracker.identify("ada")
        tracker.send(PolicyShown(step: 2))
        tracker.as(user: "ada")?.send(StepSeen(step: 3))
        tracker.as(user: "bob")?.send(StepSeen(step: 4))
        #expect(try await tracker.erase(user: "ada").sinks.isEmpty)
        #expect(names == nil && tracker.userID == nil)
        tracker.send(StepSeen(step: 5))
        try await tracker.as(user: "bob")?.setConsent(.granted)
        try await tracker.setConsent(.granted)
        tracker.identify("ada")
        tracker.send(StepSeen(step: 6))
        try await tracker.flushToDisk()
        #expect(try steps() == [4, 5, 6])
        tracker.reset()
        tracker.identify("ada")
        // The user agreed, so the event is stored.
        tracker.send(StepSeen(step: 7))
        tracker.reset()
        tracker.send(StepSeen(step: 8))
        try await tracker.as(user: "bob")?.erase()
        try await tracker.erase(user: "ada")
        #expect(try steps() == [])
        try await tracker.close()
        let next = start(.required(before: .memory))
        next.send(StepSeen(step: 9))
        await expectUnanswered { try await next.opened() }
        try await next.erase(user: "bob")
        try await next.close()
    }

    @Test("events of a server's users wait in memory for the user's answer")
    func users() async throws {
        let tracker = start(.required(before: .memory))
        let (ada, bob) = (try #require(tracker.as(user: "ada")), try #require(tracker.as(user: "bob")))
        #expect(ada.send(StepSeen(step: 1))?.isPending == true)
        bob.send(StepSeen(step: 2))
        await expectUnanswered { try await tracker.opened() }
        #expect(names == nil)
        try await ada.setConsent(.granted)
        try await tracker.opened()
        #expect(bob.send(StepSeen(step: 3))?.isPending == true)
        clock.advance(by: .seconds(60))
        ada.send(StepSeen(step: 4))
        await expectUnanswered { try await bob.send(StepSeen(step: 5), reaching: .survivesPowerLoss) }
        try await bob.setConsent(.denied)
        #expect(bob.send(StepSeen(step: 6)) == nil)
        try await bob.setConsent(.granted)
        bob.send(StepSeen(step: 7))
        tracker.send(StepSeen(step: 8))
        await expectUnanswered { try await tracker.flushToDisk() }
        let events = try events()
        #expect(try steps() == [1, 4, 7])
        #expect(events.map { $0["user_id"]?.stringValue } == ["ada", "ada", "bob"])
        #expect(events[0]["session_id"]?.stringValue == events[1]["session_id"]?.stringValue)
        #expect(try stored()["device_id"] == nil)
        try await tracker.close()
    }

    @Test("the storage that an app passes is only read before the answer")
    func ownStorage() async throws {
        let storage = InMemoryKeyValueStorage()
        var tracker = start(.required(before: .memory)) { $0.storage = storage }
        tracker.send(StepSeen(step: 1))
        await expectUnanswered { try await tracker.opened() }
        #expect(storage.string(forKey: "device_id") == nil)
        try await tracker.setConsent(.denied)
        #expect(storage.string(forKey: "device_id") == nil && names == nil)
        try await tracker.close()
        tracker = start(.required(before: .memory)) { $0.storage = storage }
        await expectUnanswered { try await tracker.opened() }
        #expect(tracker.consent == ConsentStatus(.denied, isAnswered: true))
        try await tracker.setConsent(.granted)
        tracker.send(StepSeen(step: 2))
        try await tracker.close()
        #expect(try steps() == [2])
        #expect(storage.string(forKey: "device_id") != nil)
    }

    @Test(
        "a policy is stored as text",
        arguments: [
            ConsentPolicy.assumed, .required, .required(before: .memory), .required(before: .nothing),
            .required(for: [.ads]), .required(for: [.ads, "research"], before: .memory),
        ])
    func text(policy: ConsentPolicy) throws {
        #expect(try JSONDecoder().decode([ConsentPolicy].self, from: JSONEncoder().encode([policy])) == [policy])
    }
}
