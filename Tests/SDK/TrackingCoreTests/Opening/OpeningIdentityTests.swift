import EventLog
import Testing
import TrackingCore
import TrackingTesting

/// Users, sessions and consents of events sent before the log is open.
@Suite("Users, sessions and consents before the log is open", .timeLimit(.minutes(5)))
struct OpeningIdentityTests: OpeningSuite {
    let dependencies = TestDependencies()
    let gate = OpeningGate()

    @Test("each held event keeps its user; a reset starts another session")
    func users() async throws {
        let environment = start()
        environment.tracking.send(.launch)
        environment.tracking.identify("anna")
        environment.tracking.send(.launch)
        environment.tracking.reset()
        environment.tracking.send(.launch)
        await open(environment)
        environment.tracking.send(.launch)
        let users = try dependencies.strings("user_id")
        #expect(users[1] == "anna")
        #expect(users[2] == users[3])
        #expect(Set(users).count == 3)
        let sessions = try dependencies.strings("session_id")
        #expect(sessions[0] == sessions[1])
        #expect(sessions[2] == sessions[3])
        #expect(Set(sessions).count == 2)
    }

    @Test("the session of the log's newest event continues")
    func session() async throws {
        dependencies.start().tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(60))
        let environment = start()
        environment.tracking.send(.launch)
        await open(environment)
        #expect(Set(try dependencies.strings("session_id")).count == 1)
        #expect(dependencies.log.records.map(\.seq) == [1, 2])
    }

    @Test("restarts do not extend a session beyond 24 hours", arguments: [1, 2, 7])
    func longestSession(perRestart events: Int) async throws {
        let interval = Duration.seconds(25 * 60)
        // Another session before, so that the log does not begin with this one.
        dependencies.start().tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(3600))
        let start = dependencies.clock.now
        while dependencies.clock.now.duration(since: start) < .seconds(25 * 3600) {
            let environment = self.start()
            await open(environment)
            for _ in 0..<events {
                environment.tracking.send(.launch)
                dependencies.clock.advance(by: interval)
            }
        }
        let day = Int(.seconds(24 * 3600) / interval) + 1  // the first event is at 0
        let sessions = try Array(dependencies.strings("session_id").dropFirst())
        #expect(Set(sessions[..<day]).count == 1)
        #expect(Set(sessions[day...]).count == 1)
        #expect(sessions[day - 1] != sessions[day])
    }

    @Test("a reset before the opening ends the session that would have continued")
    func resetSession() async throws {
        dependencies.start().tracking.send(.launch)
        let environment = start()
        environment.tracking.reset()
        await open(environment)
        environment.tracking.send(.launch)
        #expect(Set(try dependencies.strings("session_id")).count == 2)
        let ended = try dependencies.strings("session_id")[0]
        #expect(dependencies.storage.string(forKey: "ended_session") == ended)
    }

    @Test("an opt-out removes held events, and is stored when the log is open")
    func optOut() async throws {
        let environment = start()
        environment.tracking.send(.launch)
        async let optOut: Void = environment.tracking.setConsent(.denied)
        while environment.tracking.consent.value != .denied { await Task.yield() }
        environment.tracking.send(.background)
        await open(environment)
        try await optOut
        #expect(dependencies.log.records == [])
        #expect(try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == ["opted-out 2"])
        #expect(environment.tracking.consent.value == .denied)
    }

    @Test("held events are dropped if their user has opted out in the log")
    func knownOptOut() async throws {
        let before = dependencies.start()
        before.tracking.identify("anna")
        try await before.tracking.setConsent(.denied)
        let environment = start()
        #expect(environment.tracking.send(.launch)?.isPending == true)
        environment.tracking.identify("bert")
        environment.tracking.send(.launch)
        await open(environment)
        #expect(try dependencies.strings("user_id") == [])
        #expect(try await dependencies.log.ledger().map(\.reason) == [.optedOut])
        #expect(environment.tracking.consent.value == .denied, "who refused as anna has refused as bert")
    }

    @Test("with required consent, held events are not delivered before the user agrees")
    func requiredConsent() async throws {
        let sink = RecordingSink("sink")
        let environment = start(sinks: [sink], consent: .required)
        environment.tracking.send(.launch)
        environment.tracking.identify("anna")
        environment.tracking.send(.launch)
        await open(environment)
        #expect(dependencies.log.records.map(\.seq) == [1, 2])
        #expect(sink.delivered == [])
        #expect(environment.tracking.consent.value == .unknown)
        try await environment.tracking.setConsent(.granted)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1, 2]])
    }

    @Test("with required consent, the events of every user before the opening wait")
    func requiredConsentOfFormerUsers() async throws {
        dependencies.storage.set("anna", forKey: "user_id")
        let sink = RecordingSink("sink")
        let environment = start(sinks: [sink], consent: .required)
        environment.tracking.send(.launch)
        environment.tracking.identify("bert")
        environment.tracking.send(.launch)
        environment.tracking.reset()
        environment.tracking.send(.launch)
        await open(environment)
        #expect(Set(try dependencies.strings("user_id")).count == 3)
        #expect(sink.delivered == [])
        try await environment.tracking.setConsent(.granted)
        await environment.tracking.flush()
        #expect(sink.delivered == [[3]])
    }
}
