import Testing
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

extension FiringTests.SearchScreen {
    @Test("4: navigating to the search screen fires its page view")
    func searchRoute() {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositorySearch)
        #expect(running.stack == [.repositorySearch])
        recorder.expectSteps(.route(GitHubRoute.repositorySearch), .event(.searchPage))
    }

    @Test("5: each appearance of the search screen fires one page view and nothing else", arguments: [1, 2, 7])
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

    @Suite("When the search button is tapped")
    struct ButtonTapped: AppSuite {
        let app = TestApp()

        @Test("9: with a text, search for page 1 fires")
        func searchButton() {
            let screen = RepositorySearchViewModel(environment: environment)
            recorder.expect { screen.searchTextChanged("flux") }
            recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
            #expect(app.session.urls == ["https://api.github.com/search/repositories?q=flux&page=1&per_page=20"])
        }

        @Test("10: without a text, nothing fires", arguments: [nil, ""])
        func searchButtonWithoutText(text: String?) {
            let screen = RepositorySearchViewModel(environment: environment)
            screen.searchTextChanged(text)
            screen.searchButtonTapped()
            recorder.expect()
            #expect(app.session.urls == [])
        }

        @Test("14: with a new text, the list is cleared once and search for page 1 fires")
        func anotherText() throws {
            let screen = try app.searched(next: 2)
            screen.listScrolled(reachedBottom: true)
            screen.searchTextChanged("swift")
            screen.searchButtonTapped()
            #expect(app.repositories.clearCount == 1)
            #expect(app.repositories.repositories == [])
            recorder.expect(.search(query: "flux", page: 2), .search(query: "swift", page: 1))

            // The late response to the old query must add neither rows nor a page number.
            try app.session.answer([.flux], link: #"<https://api.github.com/x?q=flux&page=3>; rel="next""#)
            #expect(app.repositories.repositories == [])
            #expect(app.repositories.nextPage == nil)
            try app.session.answer([.swift])
            #expect(app.repositories.repositories == [.swift])
        }
    }
}
