import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import RouterAndInteractor

/// The interactor alone: which children it attaches and detaches, and how often.
@MainActor
@Suite("An interactor with a double of its router")
struct RootInteractorTests {
    let recorder = TrackingRecorder()
    let router = RootRoutingDouble()
    let root: RootInteractor

    init() {
        root = RootInteractor(environment: .mock(recording: recorder))
        root.router = router
    }

    @Test("the start attaches the search screen once, and fires nothing")
    func launch() throws {
        root.didAppear()
        router.attachSearchMethod.expectOnce()
        #expect(router.testDouble.calls == ["attachSearch()"])
        recorder.expect()
    }

    @Test("selecting a repository attaches its page once")
    func selecting() throws {
        root.searchDidSelect(.flux)
        let attached = try router.attachDetail.requireOnce()
        #expect(attached == .flux)
        router.detachDetails.expectNever()
        recorder.expectSteps(.route(AppRoute.detail(.flux)))
    }

    @Test("the top page is not attached again")
    func sameTwice() {
        for repository in [Repository.flux, .flux, .swift, .flux] { root.open(.detail(repository)) }
        #expect(router.attachDetail.calls == [.flux, .swift, .flux])
        recorder.expectSteps(
            .route(AppRoute.detail(.flux)), .route(AppRoute.detail(.swift)), .route(AppRoute.detail(.flux)))
    }

    @Test("going to the search screen detaches all pages in one call", arguments: [0, 1, 3])
    func home(pages: Int) throws {
        for page in [Repository.flux, .swift, .vapor].prefix(pages) { root.open(.detail(page)) }
        root.open(.search)
        #expect(router.detachDetails.calls == (pages == 0 ? [] : [pages]))
        #expect(router.attachDetail.calls.count == pages)
        router.attachSearchMethod.expectNever()
        recorder.expect()
    }

    @Test("closing a page detaches it; closing it again does nothing")
    func closing() {
        root.open(.detail(.flux))
        root.detailDidClose()
        root.detailDidClose()
        #expect(router.testDouble.calls == ["attachDetail(of:)", "detachDetails(_:)"])
        #expect(router.detachDetails.calls == [1])
    }
}
