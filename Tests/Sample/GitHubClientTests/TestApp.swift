import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

/// The app's environment with mocks that a test controls and inspects.
struct TestApp {
    let recorder: TrackingRecorder
    let session = StubSession()
    let environment: GitHubEnvironment

    /// Unasserted events are reported at the line that creates the app.
    init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        recorder = TrackingRecorder(
            validatingAgainst: .ofGitHubClient, fileID: fileID, filePath: filePath, line: line, column: column)
        environment = GitHubEnvironment(base: .mock(recording: recorder), session: session.double)
    }

    var repositories: RepositoryState { environment.repository.store.state }

    /// A search screen with a page of results for `flux`.
    func searched(
        next: Int?, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) throws -> RepositorySearchViewModel {
        let screen = RepositorySearchViewModel(environment: environment)
        screen.searchTextChanged("flux")
        recorder.expect(
            .search(query: "flux", page: 1), fileID: fileID, filePath: filePath, line: line, column: column
        ) { screen.searchButtonTapped() }
        try session.answer([.flux], link: next.map { #"<https://api.github.com/x?q=flux&page=\#($0)>; rel="next""# })
        return screen
    }
}

/// Suites that create an app for each test.
protocol AppSuite {
    var app: TestApp { get }
}

extension AppSuite {
    var environment: GitHubEnvironment { app.environment }
    var recorder: TrackingRecorder { app.recorder }
}

extension Repository {
    static let flux = Repository(id: 1, name: "flux", htmlURL: "https://github.com/facebook/flux")
    static let swift = Repository(id: 2, name: "swift", htmlURL: "https://github.com/apple/swift")
}

extension TrackingEvent where Self == PageView {
    static var searchPage: PageView { .pageView(.repositorySearch) }

    static func detailPage(_ repository: Repository) -> PageView {
        .pageView(.repositoryDetail(url: repository.htmlURL))
    }
}
