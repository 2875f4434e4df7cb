import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import RouterAndInteractor

/// The whole tree: its children, and the events as they appear and disappear.
@MainActor
@Suite("A tree of routers")
struct RootRouterTests {
    let recorder = TrackingRecorder()
    let root: RootRouter

    init() {
        root = RootRouter(environment: .mock(recording: recorder))
        root.launch()
        recorder.expect(.pageView(.repositorySearch))
    }

    func detail(_ repository: Repository) -> PageView {
        .pageView(.repositoryDetail(url: repository.url))
    }

    @Test("a row of the search screen attaches a child, whose page view follows the route")
    func selecting() throws {
        let search = try #require(root.children.last?.interactor as? SearchInteractor)
        search.rowTapped(.flux)
        #expect(root.children.count == 2)
        recorder.expectSteps(.route(AppRoute.detail(.flux)), .event(detail(.flux)))
    }

    @Test("closing a page detaches and releases it, and shows the page below")
    func closing() throws {
        root.open(.detail(.flux))
        root.open(.detail(.swift))
        #expect(root.children.count == 3)
        recorder.expect(detail(.flux), detail(.swift))
        weak let closed = root.children.last?.interactor as? DetailInteractor
        try #require(closed).closeTapped()
        #expect(root.children.count == 2)
        #expect(closed == nil)
        recorder.expect(detail(.flux))
    }

    @Test("going to the search screen from any depth fires one page view", arguments: [1, 2, 3])
    func home(pages: Int) {
        for page in [Repository.flux, .swift, .vapor].prefix(pages) {
            root.open(.detail(page))
            recorder.expectSteps(.route(AppRoute.detail(page)), .event(detail(page)))
        }
        root.open(.search)
        recorder.expectSteps(.route(AppRoute.search), .event(.pageView(.repositorySearch)))
        #expect(root.children.count == 1)
    }

    @Test("a link to the visible page fires nothing")
    func sameLink() {
        recorder.expect(detail(.flux)) { root.open(.detail(.flux)) }
        recorder.expect { root.open(.detail(.flux)) }
        #expect(root.children.count == 2)
    }
}
