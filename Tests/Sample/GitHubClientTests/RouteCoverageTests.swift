import Testing
import TrackingCore
import TrackingTesting

@testable import GitHubClient

/// An entry for each case of `GitHubRoute`. A new case compiles only with an entry here, and an entry compiles only if
/// `expected` has the events of its screen.
enum RouteUnderTest: CaseIterable {
    case repositorySearch, repositoryDetail, repositoryDetailByID

    init(_ route: GitHubRoute) {
        switch route {
        case .repositorySearch: self = .repositorySearch
        case .repositoryDetail: self = .repositoryDetail
        case .repositoryDetailByID: self = .repositoryDetailByID
        }
    }

    var route: GitHubRoute {
        switch self {
        case .repositorySearch: .repositorySearch
        case .repositoryDetail: .repositoryDetail(.flux)
        case .repositoryDetailByID: .repositoryDetailByID(Repository.flux.id)
        }
    }

    var expected: PageView {
        switch self {
        case .repositorySearch: .searchPage
        case .repositoryDetail, .repositoryDetailByID: .detailPage(.flux)
        }
    }
}

@Suite("Routes", .shuffled)
struct RouteCoverageTests {
    @Test("every route fires the events of its screen", arguments: RouteUnderTest.allCases)
    func firing(of entry: RouteUnderTest) throws {
        let app = TestApp()
        let running = HeadlessApp(environment: app.environment)
        app.environment.show(entry.route)
        if case .repositoryDetailByID = entry { try app.session.answer(.flux) }
        #expect(RouteUnderTest(entry.route) == entry)
        #expect(running.stack == [entry.route])
        app.recorder.expect(entry.expected)
    }

    @Test("every route is in the firing matrix")
    func matrix() { FiringMatrix.declare(routes: RouteUnderTest.allCases.map(\.route)) }
}
