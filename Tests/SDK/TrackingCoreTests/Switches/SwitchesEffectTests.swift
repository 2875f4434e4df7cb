import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// What the switches of a document change.
@Suite("Remote switches in effect", .timeLimit(.minutes(5)))
struct SwitchesEffectTests {
    private func app(
        _ members: String, expires: Int = 5000, on dependencies: TestDependencies = TestDependencies(),
        limit: SendingLimit? = .standard, opening: @escaping @Sendable () async -> Void = {}
    ) -> SwitchedApp {
        SwitchedApp(
            SourceDouble(Signed.text(1, expires: expires, members), isLocal: true), trust: .unsigned, on: dependencies,
            limit: limit, opening: opening)
    }

    private func search(_ page: Int) -> Search { Search(query: "x", page: page) }

    @Test("an event that is off by name is dropped before its number, and counted under 0; others are sent")
    func offByName() async throws {
        let app = app(#""off":["search","page-view"]"#)
        await app.settle()
        #expect(app.tracker.send(.launch)?.seq == 1)
        #expect(app.tracker.send(search(1)) == nil)
        #expect(app.tracker.send(PageView(page: "a", additional: nil)) == nil)
        #expect(app.tracker.send(search(2)) == nil)
        #expect(app.tracker.send(.background)?.seq == 2)
        #expect(try app.names() == ["launch", "background"] && app.seqs == [1, 2])
        #expect(try await app.ledger() == ["switched-off: 3"])
        #expect(
            app.reports == [
                "dropped search switched-off", "dropped page-view switched-off", "dropped search switched-off",
            ])
    }

    @Test("with enabled: false, no event is sent; a newer document sends events again, without a hole in the numbers")
    func allOff() async throws {
        let source = SourceDouble(Signed.document(1, #""enabled":false"#))
        let app = SwitchedApp(source)
        await app.settle()
        #expect(app.tracker.send(.launch) == nil && app.tracker.send(search(1)) == nil)
        source.answer(.document(Signed.document(2), tag: nil))
        app.dependencies.clock.advance(by: .seconds(3600))
        await app.settle()
        #expect(app.tracker.send(.launch)?.seq == 1)
        #expect(try await app.ledger() == ["switched-off: 2"])
    }

    @Test("an opt-out takes precedence over switches")
    func optOut() async throws {
        let app = app(#""enabled":false"#)
        await app.settle()
        try await app.tracker.setConsent(.denied)
        app.tracker.send(.launch)
        #expect(try await app.ledger() == ["opted-out: 1"])
    }

    @Test("events that were held until the log was open are switched off, too, and get no number")
    func held() async throws {
        let gate = OpeningGate()
        let app = app(#""off":["search"]"#, opening: { await gate.pass() })
        #expect(app.tracker.send(.launch)?.isPending == true)
        #expect(app.tracker.send(search(1))?.isPending == true)
        #expect(app.tracker.send(.background)?.isPending == true)
        let waiting = Task { try await app.tracker.send(search(2), reaching: .survivesProcessKill) }
        gate.open()
        #expect(try await waiting.value == nil)
        await app.settle()
        #expect(try app.names() == ["launch", "background"] && app.seqs == [1, 2])
        #expect(try await app.ledger() == ["switched-off: 2"])
    }

    @Test("events that were held after the document's expiry are sent")
    func heldAfterExpiry() async throws {
        let (gate, dependencies) = (OpeningGate(), TestDependencies())
        let app = app(#""enabled":false"#, expires: 1002, on: dependencies, opening: { await gate.pass() })
        app.tracker.send(.launch)
        dependencies.clock.advance(by: .seconds(2))
        app.tracker.send(.background)
        // The clock is right again when the log opens.
        dependencies.clock.advance(by: .seconds(-1))
        gate.open()
        await app.settle()
        #expect(try app.names() == ["background"])
        #expect(try await app.ledger() == ["switched-off: 1"])
    }

    @Test("the sending limit lowers the app's limit")
    func lowerLimit() async throws {
        let app = app(#""sending_limit":3"#)
        await app.settle()
        for page in 1...5 { app.tracker.send(search(page)) }
        #expect(app.seqs == [1, 2, 3])
        #expect(try await app.ledger() == ["runaway: 2"])
        app.dependencies.clock.advance(by: .seconds(1))
        for page in 1...5 { app.tracker.send(search(page)) }
        #expect(app.seqs == [1, 2, 3, 4, 5, 6])
    }

    @Test("the sending limit never raises the app's limit, and limits an app without a limit")
    func otherLimits() async throws {
        let strict = app(#""sending_limit":1000"#, limit: SendingLimit(eventsPerSecond: 2))
        await strict.settle()
        for page in 1...5 { strict.tracker.send(search(page)) }
        #expect(strict.seqs == [1, 2])
        let unlimited = app(#""sending_limit":4"#, limit: nil)
        await unlimited.settle()
        for page in 1...9 { unlimited.tracker.send(search(page)) }
        #expect(unlimited.seqs == [1, 2, 3, 4])
        #expect(try await unlimited.ledger() == ["runaway: 5"])
    }

    @Test("when the document expires, the app's own settings apply, without a check and without a restart")
    func expiry() async throws {
        let app = app(#""off":["search"],"sending_limit":1"#, expires: 1010)
        await app.settle()
        app.tracker.send(search(1))
        app.tracker.send(.launch)
        app.tracker.send(.launch)
        app.dependencies.clock.advance(by: .microseconds(9_999_999))
        app.tracker.send(search(2))
        #expect(app.seqs == [1])
        app.dependencies.clock.advance(by: .microseconds(1))
        for page in 3...5 { app.tracker.send(search(page)) }
        #expect(try app.names() == ["launch", "search", "search", "search"])
        #expect(try await app.ledger() == ["runaway: 1", "switched-off: 2"])
        #expect(!app.reports.contains { $0.hasPrefix("switches") })
    }

    @Test("while no switch is active, nothing changes")
    func noSwitches() async throws {
        let app = app("")
        await app.settle()
        for page in 1...3 { app.tracker.send(search(page)) }
        #expect(app.seqs == [1, 2, 3] && app.reports == [])
        #expect(try await app.ledger() == [])
    }
}
