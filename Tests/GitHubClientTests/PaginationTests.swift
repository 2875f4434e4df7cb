import Testing
import Tracking
import TrackingTesting

@testable import GitHubClient

@Suite("Firing rules: pages")
struct PaginationTests {
    @Test("17: an answered page's Link header puts the next page into the store")
    func nextPageReachesTheStore() throws {
        let app = TestApp()
        let screen = RepositorySearchViewModel(environment: app.environment)
        screen.searchTextChanged("flux")
        app.recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
        try app.session.answer(
            [.flux],
            link: """
                <https://api.github.com/search/repositories?q=flux&page=1&per_page=20>; rel="prev", \
                <https://api.github.com/search/repositories?q=flux&page=3&per_page=20>; rel="next", \
                <https://api.github.com/search/repositories?q=flux&page=34&per_page=20>; rel="last", \
                <https://api.github.com/search/repositories?q=flux&page=1&per_page=20>; rel="first"
                """)
        #expect(app.repositories.pagination == Pagination(next: 3, previous: 1, first: 1, last: 34))
        #expect(app.repositories.nextPage == 3)
        #expect(app.repositories.repositories == [.flux])
    }

    @Test(
        "a Link header is read as RFC 8288 writes it",
        arguments: [
            ("", Pagination()),
            (#"<https://x.io/?page=2>; rel=next"#, Pagination(next: 2)),
            (#"<https://x.io/?page=2>; title="a, b"; rel="next last""#, Pagination(next: 2, last: 2)),
            (#"<https://x.io/?per_page=7>; rel="next""#, Pagination()),
            (#"<https://x.io/?page=5#top> ; REL = "Prev""#, Pagination(previous: 5)),
            (#"<https://x.io/?page=two>; rel="next", <https://x.io/?q=a&page=4>; rel="first""#, Pagination(first: 4)),
            (#"<https://x.io/?page=3; rel="next""#, Pagination()),
        ]
    )
    func linkHeaders(header: String, expected: Pagination) {
        #expect(Pagination(linkHeader: header) == expected)
    }
}
