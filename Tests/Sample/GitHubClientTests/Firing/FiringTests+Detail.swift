import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

extension FiringTests.Detail {
    @Test("7: navigating to a detail fires that repository's page view")
    func detailRoute() {
        let running = HeadlessApp(environment: environment)
        environment.show(.repositoryDetail(.swift))
        #expect(running.stack == [.repositoryDetail(.swift)])
        recorder.expectSteps(.route(GitHubRoute.repositoryDetail(.swift)), .event(.detailPage(.swift)))
    }

    @Suite("Given a detail opened by the repository's id")
    struct OnlyID: AppSuite {
        let app = TestApp()

        @Test("8: nothing fires until its URL is known, then one page view fires")
        func detailByID() throws {
            let running = HeadlessApp(environment: environment)
            environment.show(.repositoryDetailByID(Repository.swift.id))
            #expect(running.stack == [.repositoryDetailByID(Repository.swift.id)])
            recorder.expect()
            try recorder.expect(.detailPage(.swift)) { try app.session.answer(.swift) }
            app.environment.repository.dispatcher.dispatch(.found(.swift))
            recorder.expect()
        }

        @Test("8: nothing fires if the user leaves before its URL is known")
        func detailLeftEarly() throws {
            let screen = RepositoryDetailViewModel(environment: environment, repositoryID: Repository.swift.id)
            screen.viewDidAppear()
            screen.viewDidDisappear()
            try app.session.answer(.swift)
            recorder.expect()
            screen.viewDidAppear()
            recorder.expect(.detailPage(.swift))
        }
    }

    @Suite("When the user taps the repository's row")
    struct RowSelected: AppSuite {
        let app = TestApp()

        @Test("15: the repository's screen opens and fires its page view")
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

        @Test(
            "15: a second tap within 300 ms does not navigate again",
            arguments: [(0, false), (299, false), (300, true)])
        func secondTap(milliseconds: Int, opens: Bool) throws {
            let commands = Locked<[GitHubRoute]>([])
            let subscription = environment.route.dispatcher.subscribe { command in
                commands.withLock { $0.append(command) }
            }
            defer { subscription.cancel() }
            let screen = try app.searched(next: nil)
            #expect(screen.rowSelected(0))
            app.recorder.clock.advance(by: .milliseconds(milliseconds))
            #expect(screen.rowSelected(0) == opens)
            #expect(commands.withLock { $0.count } == (opens ? 2 : 1))
            recorder.expect()
        }
    }
}
