import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// `expectAtLeast`, `expectNone`, `expectCount` and `expectSteps` accept lists and blocks, like `expect`.
@Suite("Lists and blocks of other expectations")
struct ListAndBlockTests {
    let app = TestedApp()

    private func search(_ page: Int) { app.tracking.send(.search(query: "flux", page: page)) }

    @Test("at least: lists, and only the events during a block")
    func atLeast() async {
        for page in 1...4 { search(page) }
        app.recorder.expectAtLeast(contentsOf: [1, 3].map { Search(query: "flux", page: $0) })
        app.recorder.expectAtLeast(matching: [.any(Search.self, \.page, is: 2), .any(Search.self)])
        search(1)
        let number = app.recorder.expectAtLeast(.search(query: "flux", page: 1)) {
            search(1)
            search(2)
            return 5
        }
        #expect(number == 5)
        app.recorder.expectAtLeast(matching: .any(Search.self)) { search(3) }
        await app.recorder.expectAtLeast(matching: [.any(Search.self)]) {
            await Task.yield()
            search(4)
        }
        await app.recorder.expectAtLeast(.search(query: "flux", page: 5), .launch) {
            await Task.yield()
            search(5)
            app.tracking.send(.launch)
        }
        // Events before and between them are unasserted.
        app.recorder.expect(.search(query: "flux", page: 1), .search(query: "flux", page: 2))
    }

    @Test("none: lists, and only the events during a block")
    func none() async {
        search(1)
        app.recorder.expectNone(contentsOf: [Launch(), Background()])
        app.recorder.expectNone(matching: [.any(Launch.self), .any(Search.self, \.page, is: 2)])
        let text = app.recorder.expectNone(.any(Search.self)) { "done" }
        await app.recorder.expectNone(.search(query: "flux", page: 1)) { await Task.yield() }
        await app.recorder.expectNone(matching: [.any(Search.self)]) { await Task.yield() }
        app.recorder.expectNone(contentsOf: [Search(query: "flux", page: 1)]) {}
        #expect(text == "done")
        let found = failures {
            app.recorder.expectNone(.any(Search.self)) { search(2) }
            app.recorder.expectNone(contentsOf: [Launch(), Search(query: "flux", page: 3)]) { search(3) }
        }
        #expect(
            found.map(\.text) == [
                """
                expected any search not to fire, but it fired once:
                  + {"name":"search","value":{"query":"flux","page":2}}
                """,
                """
                expected {"name":"launch"}, or {"name":"search","value":{"query":"flux","page":3}} not to fire, but it \
                fired once:
                  + {"name":"search","value":{"query":"flux","page":3}}
                """,
            ])
        app.recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("counts: lists, and only the events during a block")
    func counts() async {
        search(1)
        app.tracking.send(.launch)
        app.recorder.expectCount(2, matching: [.any(Search.self), .any(Launch.self)])
        search(1)
        app.recorder.expectCount(1, of: .any(Search.self)) { search(2) }
        await app.recorder.expectCount(2, of: .search(query: "flux", page: 3)) {
            search(3)
            await Task.yield()
            search(3)
        }
        app.recorder.expectCount(2, contentsOf: [Search(query: "flux", page: 4), Search(query: "flux", page: 5)]) {
            search(5)
            search(4)
        }
        app.recorder.expectCount(1, of: .any(Search.self))
    }

    @Test("steps: a list during a block")
    func steps() async {
        app.tracking.send(.launch)
        app.recorder.expectSteps([.event(.background)]) { app.tracking.send(.background) }
        await app.recorder.expectSteps([.route(TestedApp.Route.home)]) {
            await Task.yield()
            app.environment.show(.home)
        }
        app.recorder.expectSteps(.event(.launch))
    }
}
