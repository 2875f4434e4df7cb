import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import RouterAndInteractor

/// The children's interactors alone: what they fire, and what they pass to their listener.
@MainActor
@Suite("An interactor with a double of its listener")
struct ChildInteractorTests {
    let recorder = TrackingRecorder()

    @Test("the search screen fires its page view, and passes a selected row to its listener")
    func search() {
        let listener = SearchListenerDouble()
        let search = SearchInteractor(environment: .mock(recording: recorder), listener: listener)
        recorder.expect(.pageView(.repositorySearch)) { search.didAppear() }
        recorder.expect { search.rowTapped(.flux) }
        #expect(listener.searchDidSelect.calls == [.flux])
    }

    @Test("a page fires its page view each time it appears, and passes its closing to its listener")
    func detail() throws {
        let listener = DetailListenerDouble()
        let detail = DetailInteractor(
            environment: .mock(recording: recorder), repository: .flux, listener: listener)
        let page = PageView.pageView(.repositoryDetail(url: Repository.flux.url))
        recorder.expect(page, page) {
            detail.didAppear()
            detail.didAppear()
        }
        recorder.expect { detail.closeTapped() }
        listener.detailDidCloseMethod.expectOnce()
    }
}
