import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

extension FiringTests.FailedRequests {
    @Suite("Given a failed request")
    struct Failure: AppSuite {
        let app = TestApp()

        @Test("16: the store has the error, and a retry fires search for the same page", arguments: [1, 2])
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

    @Suite("Given no error")
    struct NoError: AppSuite {
        let app = TestApp()

        @Test("16: the retry button fires nothing, even while a page is loading")
        func retryWithoutError() throws {
            let screen = try app.searched(next: 2)
            recorder.expect { screen.retryTapped() }
            recorder.expect(.search(query: "flux", page: 2)) { screen.listScrolled(reachedBottom: true) }
            recorder.expect { screen.retryTapped() }
        }
    }

    @Suite("Given a detail that failed to load")
    struct FailedDetail: AppSuite {
        let app = TestApp()

        /// Starts a search for the second page, and fails the detail.
        private func failDetail(by result: Result<HTTPResponse, HTTPFailure>) throws -> RepositorySearchViewModel {
            let screen = try app.searched(next: 2)
            environment.repository.actionCreator.load(id: Repository.swift.id)
            recorder.expect(.search(query: "flux", page: 2)) { screen.listScrolled(reachedBottom: true) }
            app.session.respond(result)
            return screen
        }

        @Test(
            "12, 16: a pending search continues, and neither the list's bottom nor a retry fires another",
            arguments: [
                Result<HTTPResponse, HTTPFailure>.failure(HTTPFailure(reason: "the connection was lost")),
                .success(HTTPResponse(status: 404, link: nil, body: [])),
            ])
        func failedDetail(result: Result<HTTPResponse, HTTPFailure>) throws {
            let screen = try failDetail(by: result)
            #expect(app.repositories.notLoaded[Repository.swift.id] != nil)
            #expect(app.repositories.isFetching && app.repositories.error == nil)
            recorder.expect { screen.listScrolled(reachedBottom: true) }
            recorder.expect { screen.retryTapped() }
            environment.repository.dispatcher.dispatch(.found(.swift))
            #expect(app.repositories.notLoaded.isEmpty)
        }
    }
}
