import Testing
import TrackingCore
import TrackingTesting

@testable import GitHubClient

/// One entry for each case of `GitHubRoute`. A new case does not compile until it has an entry here, and an entry
/// does not compile until `expected` says what its screen fires.
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
    @Test("every route command fires what its screen promises", arguments: RouteUnderTest.allCases)
    func firing(of entry: RouteUnderTest) throws {
        let app = TestApp()
        let running = HeadlessApp(environment: app.environment)
        app.environment.show(entry.route)
        if case .repositoryDetailByID = entry { try app.session.answer(.flux) }
        #expect(RouteUnderTest(entry.route) == entry)
        #expect(running.stack == [entry.route])
        app.recorder.expect(entry.expected)
    }

    @Test("every route command is in the firing matrix")
    func matrix() { FiringMatrix.declare(routes: RouteUnderTest.allCases.map(\.route)) }
}
