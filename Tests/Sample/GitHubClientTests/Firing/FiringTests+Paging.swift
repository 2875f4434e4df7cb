import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

extension FiringTests.Paging {
    @Suite("Given results with a next page")
    struct NextPage {
        @Suite("When the list reaches its bottom")
        struct BottomReached: AppSuite {
            let app = TestApp()

            @Test("11: search for the next page fires if no page is loading", arguments: [2, 9])
            func listBottom(next: Int) throws {
                let screen = try app.searched(next: next)
                recorder.expect(.search(query: "flux", page: next)) { screen.listScrolled(reachedBottom: true) }
            }

            @Test("12: nothing fires while a page is loading")
            func listBottomWhileFetching() throws {
                let screen = try app.searched(next: 2)
                screen.listScrolled(reachedBottom: true)
                screen.listScrolled(reachedBottom: true)
                #expect(app.repositories.isFetching)
                recorder.expect(.search(query: "flux", page: 2))
            }
        }

        @Suite("When the list is scrolled, but not to its bottom")
        struct BottomNotReached: AppSuite {
            let app = TestApp()

            @Test("13: nothing fires, whether or not a page is loading", arguments: [true, false])
            func listNotAtBottom(isFetching: Bool) throws {
                let screen = try app.searched(next: 2)
                if isFetching { environment.repository.dispatcher.dispatch(.fetching) }
                recorder.expect { screen.listScrolled(reachedBottom: false) }
                #expect(app.repositories.isFetching == isFetching)
            }
        }
    }

    @Suite("Given the last page of the results")
    struct LastPage: AppSuite {
        let app = TestApp()

        @Test("11: reaching the list's bottom fires nothing")
        func listBottomOfLastPage() throws {
            let screen = try app.searched(next: nil)
            recorder.expect { screen.listScrolled(reachedBottom: true) }
        }
    }

    @Suite("When a page arrives")
    struct PageAnswered: AppSuite {
        let app = TestApp()

        @Test("17: the store has the next page from its Link header")
        func nextPageReachesTheStore() throws {
            let screen = RepositorySearchViewModel(environment: environment)
            screen.searchTextChanged("flux")
            recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
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
            "a Link header is parsed according to RFC 8288",
            arguments: [
                LinkHeader("", Pagination()),
                LinkHeader(#"<https://x.io/?page=2>; rel=next"#, Pagination(next: 2)),
                LinkHeader(#"<https://x.io/?page=2>; title="a, b"; rel="next last""#, Pagination(next: 2, last: 2)),
                LinkHeader(#"<https://x.io/?per_page=7>; rel="next""#, Pagination()),
                LinkHeader(#"<https://x.io/?page=5#top> ; REL = "Prev""#, Pagination(previous: 5)),
                LinkHeader(
                    #"<https://x.io/?page=two>; rel="next", <https://x.io/?q=a&page=4>; rel="first""#,
                    Pagination(first: 4)
                ),
                LinkHeader(#"<https://x.io/?page=3; rel="next""#, Pagination()),
            ]
        )
        func linkHeaders(header: LinkHeader) {
            #expect(Pagination(linkHeader: header.text) == header.pages)
        }
    }
}

/// A header, and its pages.
struct LinkHeader: CustomTestStringConvertible {
    let text: String
    let pages: Pagination

    init(_ text: String, _ pages: Pagination) {
        self.text = text
        self.pages = pages
    }

    var testDescription: String {
        let names = [("next", pages.next), ("prev", pages.previous), ("first", pages.first), ("last", pages.last)]
            .compactMap { name, page in page.map { "\(name) \($0)" } }
        return "\(text.isEmpty ? "no header" : text) → \(names.isEmpty ? "no page" : names.joined(separator: ", "))"
    }
}
