import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import PresenterAndView

@MainActor
@Suite("A presenter with a double of its view")
struct SearchPresenterTests {
    let recorder = TrackingRecorder()
    let view = SearchViewDouble()
    let search = RepositorySearchDouble()
    let environment: AppEnvironment
    let presenter: SearchPresenter

    init() {
        environment = .mock(recording: recorder)
        presenter = SearchPresenter(environment: environment, repositories: search)
        presenter.view = view
    }

    @Test("each appearance fires a page view and does not change the view")
    func appearing() {
        presenter.viewDidAppear()
        presenter.viewDidAppear()
        recorder.expect(.pageView(.repositorySearch), .pageView(.repositorySearch))
        #expect(view.testDouble.calls == [])
    }

    @Test("a search fires, then shows progress, then the rows")
    func searching() async throws {
        view.showProgressMethod.answers { [recorder] in recorder.expect(.search(query: "flux", page: 1)) }
        search.repositories.answers { [view] _ in
            #expect(view.testDouble.calls == ["showProgress()"])
            return [.flux, Repository(fullName: "me/mine", url: "https://github.com/me/mine", stars: 1)]
        }
        await presenter.searchTapped("flux")
        #expect(view.testDouble.calls == ["showProgress()", "hideProgress()", "showRows(_:)"])
        let rows = try view.showRows.requireOnce()
        #expect(
            rows == [
                SearchRow(title: "facebook/flux", subtitle: "17000 stars"),
                SearchRow(title: "me/mine", subtitle: "1 star"),
            ])
        #expect(search.repositories.calls == ["flux"])
        recorder.expect()
    }

    @Test(
        "an empty result and a failure show a message",
        arguments: [
            (nil, "No repositories found."), (.offline, "You are offline."),
            (.unavailable, "Search is unavailable; try again."),
        ] as [(RequestFailure?, String)])
    func messages(failure: RequestFailure?, message: String) async throws {
        if let failure { search.repositories.fails(with: failure) } else { search.repositories.answers([]) }
        await presenter.searchTapped("flux")
        #expect(view.testDouble.calls == ["showProgress()", "hideProgress()", "showMessage(_:)"])
        let shown = try view.showMessage.requireOnce()
        #expect(shown == message)
        recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("a late response to an earlier search is ignored; both searches fire")
    func lateAnswer() async throws {
        let held = HeldAnswers<String, [Repository]>()
        search.repositories.answers { query throws(RequestFailure) in try await held.answer(to: query) }
        let first = Task { await presenter.searchTapped("flux") }
        await held.requests(1)
        let second = Task { await presenter.searchTapped("swift") }
        await held.requests(2)
        held.answer("swift", with: .success([.swift]))
        await second.value
        held.answer("flux", with: .success([.flux]))
        await first.value
        #expect(view.testDouble.calls == ["showProgress()", "showProgress()", "hideProgress()", "showRows(_:)"])
        let rows = try view.showRows.requireOnce()
        #expect(rows.map(\.title) == ["apple/swift"])
        recorder.expect(.search(query: "flux", page: 1), .search(query: "swift", page: 1))
    }

    @Test("an empty text shows a message, without a request or an event")
    func withoutText() async throws {
        await presenter.searchTapped("")
        #expect(view.testDouble.calls == ["showMessage(_:)"])
        search.repositories.expectNever()
        recorder.expect()
    }

    @Test("after the view is gone, the response is ignored; the event is sent")
    func goneView() async {
        var other: SearchViewDouble? = SearchViewDouble()
        weak let gone = other
        presenter.view = other
        other = nil
        #expect(gone == nil)
        search.repositories.answers([.flux])
        await presenter.searchTapped("flux")
        #expect(view.testDouble.calls == [])
        recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("a row opens its repository; an invalid row does nothing")
    func rows() async {
        search.repositories.answers([.flux, .swift])
        presenter.rowTapped(0)
        await presenter.searchTapped("flux")
        presenter.rowTapped(1)
        presenter.rowTapped(2)
        recorder.expectSteps(.event(.search(query: "flux", page: 1)), .route(AppRoute.detail(.swift)))
    }
}
