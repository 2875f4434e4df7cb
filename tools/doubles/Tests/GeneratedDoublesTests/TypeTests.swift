import DoubledProtocols
import Testing
import TrackingTesting

@Suite("Doubles of properties, types and generics")
struct TypeTests {
    @Test("answer for properties, and return the value that was set")
    func properties() async throws {
        let player = PlayerDouble()
        player.titleGetter.answers("one", "two")
        #expect([player.title, player.title, player.title] == ["one", "two", "two"])
        player.volume = 0.5
        #expect(player.volume == 0.5)
        player.volumeGetter.answers(0.1)
        player.volume = 0.9
        #expect(player.volume == 0.1)
        #expect(player.volumeSetter.calls == [0.5, 0.9])
        player.trackGetter.fails(with: FeedError.gone)
        await #expect(throws: FeedError.gone) { try await player.track }
        player.lengthGetter.fails(with: .gone)
        #expect(throws: FeedError.gone) { try player.length }
        player.delegate = player
        #expect(player.delegate === player)
        player.defaultGetter.answers(1)
        #expect(player.default == 1)
    }

    @Test("answer for subscripts")
    func subscripts() {
        let player = PlayerDouble()
        player.subscriptIndexGetter.answers { "track \($0)" }
        #expect(player[3] == "track 3")
        player.subscriptNameFallbackGetter.answers { $0.fallback }
        player[name: "a", 1] = 2
        #expect(player[name: "a", 5] == 5)
        #expect(player.subscriptNameFallbackSetter.calls[0] == (name: "a", fallback: 1, newValue: 2))
    }

    @Test("answer for static members and initializers, isolated by test")
    func statics() async throws {
        func make<M: Model>(_ type: M.Type) throws -> (M, M?) { (try M(id: 1), M(name: "a", 2)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try TestDouble.withOwnStatics {
                        PlayerDouble.make.answers(number)
                        #expect(PlayerDouble.make("a") == number)
                        PlayerDouble.shared = number
                        #expect(PlayerDouble.shared == number)
                        ModelDouble.initializerNameAge.answers(number % 2 == 0)
                        let (_, second) = try make(ModelDouble.self)
                        #expect((second == nil) == (number % 2 == 1))
                        #expect(ModelDouble.initializerId.calls == [1])
                        #expect(ModelDouble.initializerNameAge.calls.map(\.age) == [2])
                        ModelDouble.testDouble.reset()
                        #expect(ModelDouble.initializerId.calls == [])
                        ModelDouble.initializerId.fails(with: FeedError.gone)
                        #expect(throws: FeedError.gone) { try make(ModelDouble.self) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("replace Self by the double")
    func selfTypes() {
        TestDouble.withOwnStatics {
            let model = ModelDouble(), other = ModelDouble()
            model.isSame.answers { $0 === other }
            #expect(model.isSame(as: other))
            ModelDouble.named.answers(other)
            #expect(ModelDouble.named("a") === other)
            // Both were created by code under test.
            #expect(ModelDouble.initializer.calls.count == 2)
        }
    }

    @Test("record generic arguments with erased types, and answer with the requested type")
    func generics() async throws {
        let coder = CoderDouble()
        coder.decode.answers(7, where: { $0.type == Int.self })
        coder.decode.answers("seven", where: { $0.type == String.self })
        #expect(try coder.decode(Int.self, from: "a") == 7)
        #expect(try coder.decode(String.self, from: "a") == "seven")
        coder.encode.answers { "\($0)" }
        #expect(try coder.encode(5) == "5")
        coder.all.answers { $0.values.reversed() }
        #expect(await coder.all([1, 2], named: nil) == [2, 1])
        coder.best.answers { $0.other }
        #expect(coder.best(1, 2) == 2)
        #expect(coder.best(1, nil) == nil)
        coder.any.answers("text")
        #expect(coder.any(1, nil) as? String == "text")
        struct Home: Route { let path = "/" }
        coder.route(Home()) { _ in }
        #expect(coder.route.calls.map(\.route.path) == ["/"])
    }

    @Test("are generic over associated types that are not fixed")
    func associatedTypes() async throws {
        let store = StoreDouble<User, FeedError>()
        let ada = User(id: 1, name: "Ada")
        store.item.answers(ada, where: { $0 == 1 }).answers(nil)
        #expect(try store.item(1) == ada)
        #expect(try store.item(2) == nil)
        store.item.fails(with: .gone)
        #expect(throws: FeedError.gone) { try store.item(2) }
        store.last = ada
        #expect(store.last == ada)
        let users = UserStoreDouble()
        users.rename.answers { User(id: $0.user.id, name: $0.name) }
        #expect(users.rename(ada, to: "Eda") == User(id: 1, name: "Eda"))
        let cached = CachedUsersDouble<FeedError>()
        cached.clear()
        cached.clear(true)
        #expect(cached.testDouble.calls == ["clear()", "clear(_:)"])
    }

    @Test("of actors and global actors are set up from anywhere, and called in isolation")
    func isolation() async throws {
        let navigation = NavigationDouble()
        navigation.show.answers(true)
        navigation.load.answers { $0 }
        navigation.nameMethod.answers("navigation")
        await MainActor.run {
            #expect(navigation.show(Screen(title: "a")))
            navigation.top = Screen(title: "b")
            #expect(navigation.top?.title == "b")
        }
        try await load(navigation)
        #expect(navigation.show.calls.map(\.title) == ["a"])
        #expect(navigation.name() == "navigation")
        let vault = VaultDouble()
        vault.open.answers(1)
        vault.wait.answers { $0.count }
        vault.isOpenGetter.answers(true)
        #expect(try await vault.open("key") == 1)
        #expect(await vault.wait(for: "key") == 3)
        #expect(await vault.isOpen)
        let worker = WorkerDouble()
        await worker.work(Screen(title: "c"))
        await worker.draw(Screen(title: "d"))
        #expect(worker.testDouble.calls == ["work(_:)", "draw(_:)"])
        #expect(Set([worker, worker]).count == 1)
        #expect("\(worker)" == "WorkerDouble")
        let plain = PlainDouble()
        plain.runMethod.answers(2)
        #expect(plain.run() == 2)
    }

    @MainActor
    private func load(_ navigation: NavigationDouble) async throws {
        let screen = Screen(title: "loaded")
        #expect(try await navigation.load(screen) === screen)
    }

    @Test("are nested like their protocols: in types, #if, packages and modules")
    func locations() throws {
        let session = API.SessionDouble()
        session.send.answers(true)
        #expect(session.send(API.Request()))
        let panel = DebugPanelDouble()
        panel.show()
        panel.showMethod.expectOnce()
        let clock = FakeClock()
        clock.run.answers((one: 1, two: "2"))
        #expect(clock.run(first: 1, second: [:]) == (one: 1, two: "2"))
        PackageOnlyDouble().run()
    }
}
