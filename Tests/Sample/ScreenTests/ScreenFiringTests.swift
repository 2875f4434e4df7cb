import TestTimes
import Testing

/// The firing rules as tests of a screen: the built app on a pseudo-terminal, over HTTP, and each event waited for in its
/// log. `FiringTests` asserts the same rules in the process; `make screen-tests` compares the two.
///
/// What must not fire is seen by what fires next: nothing stands between. The last of all is the `background` of
/// `leave()`.
@Suite("Firing rules on a screen", .ofScreens, .timed)
struct ScreenFiringTests {
    private let first = ServedRepository.page(1, of: "flux")[0]
    private let second = ServedRepository.page(1, of: "flux")[1]
    /// What a notification is about while the list is empty.
    private let swift = ServedRepository(44_838_949, "swift")

    @Test("1: becoming active fires launch")
    func becomingActive() async throws {
        // Which the start has waited for, as the first event of all.
        try await ScreenApp().leave()
    }

    @Test("2: entering the background fires background")
    func enteringBackground() async throws {
        let app = try await ScreenApp()
        // No shell is there to keep it stopped, so it goes on at once.
        try app.press(.ctrlZ)
        try await app.fires(.background, .launch)
        try await app.leave()
    }

    @Test("3: a notification response fires notification")
    func notificationResponse() async throws {
        let app = try await ScreenApp()
        try app.press(.tab, "n")
        try await app.fires(.newRelease(of: swift))
        #expect(try await app.server.request().target == "/repositories/44838949")
        try await app.leave()
    }

    @Test("4: the route to the search screen, and its appearance, fire its page view")
    func searchRoute() async throws {
        let app = try await ScreenApp()
        #expect(app.lines.first == "GitHub repositories")
        try await app.leave()
    }

    @Test("5: the search screen appearing n times fires n page views and nothing else")
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

    @Test("7: the route to a detail, and its appearance, fire that repository's page view")
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
        try await app.shows("Its address is not known yet…")
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

    @Test("11: the list's bottom, when nothing is fetched, fires search for the next page")
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

    @Test("12: the list's bottom while a page is fetched fires nothing")
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

    @Test("13: a list that is not at its bottom fires nothing, fetching or not")
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

    @Test("14: another search text clears the list once and fires search for page 1")
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

    @Test("15: a selected row opens its repository, once for two taps")
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

    @Test("16: a failed request is shown, and a retry fires search with the same page")
    func failureAndRetry() async throws {
        let app = try await ScreenApp()
        try app.press("flux", .enter)
        try await app.fires(.search("flux", page: 1))
        try await app.server.request().fail()
        try await app.shows("No answer: the connection was lost. r tries again")
        try app.press("r")
        try await app.fires(.search("flux", page: 1))
        try await app.server.request().answer(ServedRepository.page(1, of: "flux"), links: ["next": 2])
        try await app.shows("20 repositories")
        try app.press(.end)
        try await app.fires(.search("flux", page: 2))
        try await app.server.request().fail()
        try await app.shows("No answer")
        try app.press("r")
        try await app.fires(.search("flux", page: 2))
        _ = try await app.server.request()
        try await app.leave()
    }

    @Test("17: an answered page's Link header says which page is next")
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
