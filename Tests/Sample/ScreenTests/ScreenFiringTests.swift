import TestTimes
import Testing

/// The firing rules as screen tests: the built app on a pseudo-terminal, over HTTP. The tests wait for each event in the
/// app's log. `FiringTests` asserts the same rules in process; `make screen-tests` compares the two.
///
/// To assert that nothing fires, a test expects the next event directly after the previous event. The last event is the
/// `background` of `leave()`.
@Suite("Firing rules on a screen", .ofScreens, .timed)
struct ScreenFiringTests {
    private let first = ServedRepository.page(1, of: "flux")[0]
    private let second = ServedRepository.page(1, of: "flux")[1]
    /// The repository of a notification while the list is empty.
    private let swift = ServedRepository(44_838_949, "swift")

    @Test("1: becoming active fires launch")
    func becomingActive() async throws {
        // The initializer has waited for it, as the first event.
        try await ScreenApp().leave()
    }

    @Test("2: entering the background fires background")
    func enteringBackground() async throws {
        let app = try await ScreenApp()
        // Without a shell that keeps it stopped, it continues immediately.
        try app.press(.ctrlZ)
        try await app.fires(.background, .launch)
        try await app.leave()
    }

    @Test("3: a response to a notification fires notification")
    func notificationResponse() async throws {
        let app = try await ScreenApp()
        try app.press(.tab, "n")
        try await app.fires(.newRelease(of: swift))
        #expect(try await app.server.request().target == "/repositories/44838949")
        try await app.leave()
    }

    @Test("4: navigating to the search screen fires its page view")
    func searchRoute() async throws {
        let app = try await ScreenApp()
        #expect(app.lines.first == "GitHub repositories")
        try await app.leave()
    }

    @Test("5: each appearance of the search screen fires one page view and nothing else")
    func searchAppearances() async throws {
        let app = try await ScreenApp()
        try app.press(.tab, "b", "b", "b")
        try await app.fires(.searchPage, .searchPage, .searchPage)
        try await app.leave()
    }

    @Test("6: going back from a detail fires the search screen's page view")
    func backFromDetail() async throws {
        let app = try await ScreenApp()
        try await app.search()
        try app.press(.enter)
        try await app.showsDetail()
        try app.press("b")
        try await app.shows("20 repositories")
        try await app.fires(.detailPage(first), .searchPage)
        try await app.leave()
    }

    @Test("7: navigating to a detail fires that repository's page view")
    func detailRoute() async throws {
        let app = try await ScreenApp()
        try await app.search()
        try app.press(.enter)
        try await app.showsDetail()
        #expect(app.lines.first == first.name)
        try await app.fires(.detailPage(first))
        try await app.leave()
    }

    @Test("8: a detail opened by id fires nothing until its URL is known, then one page view")
    func detailByID() async throws {
        let app = try await ScreenApp()
        try app.press(.tab, "n")
        try await app.shows("Loading its address…")
        let request = try await app.server.request()
        try app.press(.ctrlZ)
        try await app.fires(.newRelease(of: swift), .background, .launch)
        request.answer(swift)
        try await app.shows(swift.url)
        try await app.fires(.detailPage(swift))
        try await app.leave()
    }

    @Test("9: the search button with a text fires search for page 1")
    func searchButton() async throws {
        let app = try await ScreenApp()
        try app.press("flux")
        try await app.shows("Search  flux")
        try app.press(.enter)
        try await app.fires(.search("flux", page: 1))
        #expect(try await app.server.request().target == "/search/repositories?q=flux&page=1&per_page=20")
        try await app.leave()
    }

    @Test("10: the search button without a text fires nothing")
    func searchButtonWithoutText() async throws {
        let app = try await ScreenApp()
        try app.press(.enter, "x", .backspace, .enter, .ctrlZ)
        try await app.fires(.background, .launch)
        try await app.search()
        try await app.leave()
    }

    @Test("11: reaching the list's bottom fires search for the next page if no page is loading")
    func listBottom() async throws {
        let app = try await ScreenApp()
        try await app.search(links: ["next": 2])
        try app.press(.end)
        try await app.fires(.search("flux", page: 2))
        try await app.server.request().answer(ServedRepository.page(2, of: "flux"))
        try await app.shows("40 repositories, no more")
        try app.press(.end)
        try await app.leave()
    }

    @Test("12: reaching the list's bottom while a page is loading fires nothing")
    func listBottomWhileFetching() async throws {
        let app = try await ScreenApp()
        try await app.search(links: ["next": 2])
        try app.press(.end)
        let request = try await app.server.request()
        try await app.shows("20 repositories, loading more…")
        try app.press(.end, .down, .ctrlZ)
        try await app.fires(.search("flux", page: 2), .background, .launch)
        request.answer(ServedRepository.page(2, of: "flux"), links: ["next": 3])
        try await app.shows("40 repositories")
        try app.press(.end)
        try await app.fires(.search("flux", page: 3))
        _ = try await app.server.request()
        try await app.leave()
    }

    @Test("13: scrolling, but not to the bottom, fires nothing, whether or not a page is loading")
    func listNotAtBottom() async throws {
        let app = try await ScreenApp()
        try await app.search(links: ["next": 2])
        try app.press(.down, .ctrlZ)
        try await app.fires(.background, .launch)
        try app.press(.end)
        try await app.fires(.search("flux", page: 2))
        _ = try await app.server.request()
        try app.press(.home, .down, .ctrlZ)
        try await app.fires(.background, .launch)
        try await app.leave()
    }

    @Test("14: a new search text clears the list once and fires search for page 1")
    func anotherText() async throws {
        let app = try await ScreenApp()
        try await app.search(links: ["next": 2])
        try app.press(.end)
        try await app.fires(.search("flux", page: 2))
        let late = try await app.server.request()
        try app.press("/", .ctrlU, "swift", .enter)
        try await app.fires(.search("swift", page: 1))
        try await app.shows("Loading…")
        #expect(!app.lines.joined().contains("flux-"))
        let request = try await app.server.request()
        late.answer(ServedRepository.page(2, of: "flux"), links: ["next": 3])
        request.answer(ServedRepository.page(1, of: "swift"))
        try await app.shows("20 repositories, no more")
        #expect(!app.lines.joined().contains("flux-"))
        try app.press(.end)
        try await app.leave()
    }

    @Test("15: two quick taps on a row open its repository once")
    func rowSelected() async throws {
        let app = try await ScreenApp()
        try await app.search()
        try app.press(.down)
        try await app.shows("> \(second.name)")
        try app.press(.enter, .enter)
        try await app.showsDetail()
        try await app.fires(.detailPage(second))
        try await app.leave()
    }

    @Test("16: a failed request is shown, and a retry fires search for the same page")
    func failureAndRetry() async throws {
        let app = try await ScreenApp()
        try app.press("flux", .enter)
        try await app.fires(.search("flux", page: 1))
        try await app.server.request().fail()
        try await app.shows("Request failed: the connection was lost; press r to retry")
        try app.press("r")
        try await app.fires(.search("flux", page: 1))
        try await app.server.request().answer(ServedRepository.page(1, of: "flux"), links: ["next": 2])
        try await app.shows("20 repositories")
        try app.press(.end)
        try await app.fires(.search("flux", page: 2))
        try await app.server.request().fail()
        try await app.shows("Request failed")
        try app.press("r")
        try await app.fires(.search("flux", page: 2))
        _ = try await app.server.request()
        try await app.leave()
    }

    @Test("17: the Link header of a page determines the next page")
    func nextPage() async throws {
        let app = try await ScreenApp()
        try await app.search(links: ["prev": 1, "next": 3, "last": 34, "first": 1])
        try await app.shows("20 repositories, page 3 of 34 follows")
        try app.press(.end)
        try await app.fires(.search("flux", page: 3))
        _ = try await app.server.request()
        try await app.leave()
    }
}
