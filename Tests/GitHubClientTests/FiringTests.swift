import Synchronization
import Testing
import Tracking
import TrackingTesting

@testable import GitHubClient

/// The firing rules 1 to 16, one test each, in their order. (17 is a rule of the store: `PaginationTests`.)
@Suite("Firing rules")
struct FiringTests {
    let app = TestApp()
    var environment: GitHubEnvironment { app.environment }
    var recorder: TrackingRecorder { app.recorder }

    @Test("1: becoming active fires launch")
    func becomingActive() {
        AppLifeCycle(environment: environment).didBecomeActive()
        recorder.expect(.launch)
    }

    @Test("2: entering the background fires background")
    func enteringBackground() {
        AppLifeCycle(environment: environment).didEnterBackground()
        recorder.expect(.background)
    }

    @Test("3: a notification response fires notification, then calls its completion once")
    func notificationResponse() {
        var completions = 0
        NotificationHandler(environment: environment).didReceive(
            identifier: "new-release", userInfo: ["tag": "6.3", "read": false]
        ) {
            completions += 1
            recorder.expect(NotificationResponse(identifier: "new-release", userInfo: ["read": false, "tag": "6.3"]))
        }
        recorder.expect()
        #expect(completions == 1)
    }

    @Test("3: a link in a notification opens its repository, once, after the event")
    func notificationLink() {
        NotificationHandler(environment: environment).didReceive(
            identifier: "issue", userInfo: ["repository_id": 2]
        ) {}
        recorder.expectSteps(
            .event(NotificationResponse(identifier: "issue", userInfo: ["repository_id": 2])),
            .route(GitHubRoute.repositoryDetailByID(2)))
    }

    @Test("4: the route to the search screen, and its appearance, fire its page view")
    func searchRoute() {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositorySearch)
        #expect(running.stack == [.repositorySearch])
        recorder.expectSteps(.route(GitHubRoute.repositorySearch), .event(.searchPage))
    }

    @Test("5: the search screen appearing n times fires n page views and nothing else", arguments: [1, 2, 7])
    func searchAppearances(times: Int) {
        let screen = RepositorySearchViewModel(environment: environment)
        for _ in 0..<times { screen.viewDidAppear() }
        recorder.expectCount(times, of: .event(.searchPage))
        recorder.expect()
    }

    @Test("6: going back from a detail fires the search screen's page view")
    func backFromDetail() {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositorySearch)
        environment.show(.repositoryDetail(.swift))
        environment.show(.repositorySearch)
        #expect(running.stack == [.repositorySearch])
        recorder.expect(.searchPage, .detailPage(.swift), .searchPage)
    }

    @Test("7: the route to a detail, and its appearance, fire that repository's page view")
    func detailRoute() {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositoryDetail(.swift))
        #expect(running.stack == [.repositoryDetail(.swift)])
        recorder.expectSteps(.route(GitHubRoute.repositoryDetail(.swift)), .event(.detailPage(.swift)))
    }

    @Test("8: a detail opened by id fires nothing until its URL is known, then one page view")
    func detailByID() throws {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositoryDetailByID(Repository.swift.id))
        #expect(running.stack == [.repositoryDetailByID(Repository.swift.id)])
        recorder.expect()
        try recorder.expect(.detailPage(.swift)) { try app.session.answer(.swift) }
        app.environment.repository.dispatcher.dispatch(.found(.swift))
        recorder.expect()
    }

    @Test("8: a detail that was left before its URL was known fires nothing")
    func detailLeftEarly() throws {
        let screen = RepositoryDetailViewModel(environment: environment, repositoryID: Repository.swift.id)
        screen.viewDidAppear()
        screen.viewDidDisappear()
        try app.session.answer(.swift)
        recorder.expect()
        screen.viewDidAppear()
        recorder.expect(.detailPage(.swift))
    }

    @Test("9: the search button with a text fires search for page 1")
    func searchButton() {
        let screen = RepositorySearchViewModel(environment: environment)
        recorder.expect { screen.searchTextChanged("flux") }
        recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
        #expect(app.session.urls == ["https://api.github.com/search/repositories?q=flux&page=1&per_page=20"])
    }

    @Test("10: the search button without a text fires nothing", arguments: [nil, ""])
    func searchButtonWithoutText(text: String?) {
        let screen = RepositorySearchViewModel(environment: environment)
        screen.searchTextChanged(text)
        screen.searchButtonTapped()
        recorder.expect()
        #expect(app.session.urls == [])
    }

    @Test("11: the list's bottom, when nothing is fetched, fires search for the next page", arguments: [2, 9])
    func listBottom(next: Int) throws {
        let screen = try app.searched(next: next)
        recorder.expect(.search(query: "flux", page: next)) { screen.listScrolled(reachedBottom: true) }
    }

    @Test("11: the list's bottom on the last page fires nothing")
    func listBottomOfLastPage() throws {
        let screen = try app.searched(next: nil)
        recorder.expect { screen.listScrolled(reachedBottom: true) }
    }

    @Test("12: the list's bottom while a page is fetched fires nothing")
    func listBottomWhileFetching() throws {
        let screen = try app.searched(next: 2)
        screen.listScrolled(reachedBottom: true)
        screen.listScrolled(reachedBottom: true)
        #expect(app.repositories.isFetching)
        recorder.expect(.search(query: "flux", page: 2))
    }

    @Test("13: a list that is not at its bottom fires nothing, fetching or not", arguments: [true, false])
    func listNotAtBottom(isFetching: Bool) throws {
        let screen = try app.searched(next: 2)
        if isFetching { environment.repository.dispatcher.dispatch(.fetching) }
        recorder.expect { screen.listScrolled(reachedBottom: false) }
        #expect(app.repositories.isFetching == isFetching)
    }

    @Test("14: another search text clears the list once and fires search for page 1")
    func anotherText() throws {
        let screen = try app.searched(next: 2)
        screen.listScrolled(reachedBottom: true)
        screen.searchTextChanged("swift")
        screen.searchButtonTapped()
        #expect(app.repositories.clearCount == 1)
        #expect(app.repositories.repositories == [])
        recorder.expect(.search(query: "flux", page: 2), .search(query: "swift", page: 1))

        // The late answer to the old query must leave neither rows nor a page number.
        try app.session.answer([.flux], link: #"<https://api.github.com/x?q=flux&page=3>; rel="next""#)
        #expect(app.repositories.repositories == [])
        #expect(app.repositories.nextPage == nil)
        try app.session.answer([.swift])
        #expect(app.repositories.repositories == [.swift])
    }

    @Test("15: a selected row routes to its repository, whose screen fires its page view")
    func rowSelected() throws {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositorySearch)
        let screen = try #require(running.search)
        screen.searchTextChanged("flux")
        screen.searchButtonTapped()
        try app.session.answer([.swift, .flux])
        #expect(screen.rowSelected(1))
        #expect(environment.route.store.state.command == .repositoryDetail(.flux))
        recorder.expectSteps(
            .route(GitHubRoute.repositorySearch), .event(.searchPage), .event(.search(query: "flux", page: 1)),
            .route(GitHubRoute.repositoryDetail(.flux)), .event(.detailPage(.flux)))
    }

    @Test("15: a second tap within 300 ms gives no second command", arguments: [(0, false), (299, false), (300, true)])
    func secondTap(milliseconds: Int, opens: Bool) throws {
        let commands = Mutex<[GitHubRoute]>([])
        let subscription = environment.route.dispatcher.subscribe { command in commands.withLock { $0.append(command) }
        }
        defer { subscription.cancel() }
        let screen = try app.searched(next: nil)
        #expect(screen.rowSelected(0))
        app.recorder.clock.advance(by: .milliseconds(milliseconds))
        #expect(screen.rowSelected(0) == opens)
        #expect(commands.withLock { $0.count } == (opens ? 2 : 1))
        recorder.expect()
    }

    @Test("16: without an error the retry button fires nothing, also while a page is fetched")
    func retryWithoutError() throws {
        let screen = try app.searched(next: 2)
        recorder.expect { screen.retryTapped() }
        recorder.expect(.search(query: "flux", page: 2)) { screen.listScrolled(reachedBottom: true) }
        recorder.expect { screen.retryTapped() }
    }

    @Test("16: a failed request reaches the store, and a retry fires search with the same page", arguments: [1, 2])
    func failureAndRetry(page: Int) throws {
        let screen: RepositorySearchViewModel
        if page == 1 {
            screen = RepositorySearchViewModel(environment: environment)
            screen.searchTextChanged("flux")
            recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
        } else {
            screen = try app.searched(next: page)
            recorder.expect(.search(query: "flux", page: page)) { screen.listScrolled(reachedBottom: true) }
        }
        app.session.fail()
        #expect(app.repositories.error == "the connection was lost")
        #expect(app.repositories.isFetching == false)
        recorder.expect(.search(query: "flux", page: page)) { screen.retryTapped() }
        #expect(app.repositories.error == nil)
    }
}
