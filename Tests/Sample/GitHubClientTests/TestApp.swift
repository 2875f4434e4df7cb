import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import GitHubClient

/// The app's environment on mock parts, with what a test turns and reads.
struct TestApp {
    let recorder: TrackingRecorder
    let session = StubSession()
    let environment: GitHubEnvironment

    /// What no expectation asserts is shown where the app is made.
    init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        recorder = TrackingRecorder(
            validatingAgainst: .ofGitHubClient, fileID: fileID, filePath: filePath, line: line, column: column)
        environment = GitHubEnvironment(base: .mock(recording: recorder), session: session.double)
    }

    var repositories: RepositoryState { environment.repository.store.state }

    /// A search screen that has searched for `flux` and got a page.
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

/// Tests that have an app each.
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
