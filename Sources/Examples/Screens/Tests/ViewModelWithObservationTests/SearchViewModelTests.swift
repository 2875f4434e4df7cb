import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@testable import ViewModelWithObservation

/// Everything that a view reads.
struct Outputs: Equatable, Sendable {
    let state: SearchViewModel.State
    let text: String
    let canSearch: Bool
}

extension Outputs {
    @MainActor
    init(_ screen: SearchViewModel) {
        self.init(state: screen.state, text: screen.text, canSearch: screen.canSearch)
    }
}

@MainActor
@Suite("A view model with Observation")
struct SearchViewModelTests {
    let recorder = TrackingRecorder()
    let search = RepositorySearchDouble()
    let environment: AppEnvironment
    let screen: SearchViewModel

    init() {
        environment = .mock(recording: recorder)
        screen = SearchViewModel(environment: environment, repositories: search)
        search.repositories.answers([.flux, .swift])
    }

    @Test("each appearance fires a page view", arguments: [1, 2, 5])
    func appearances(times: Int) {
        for _ in 0..<times { screen.didAppear() }
        recorder.expectCount(times, of: .event(.pageView(.repositorySearch)))
    }

    @Test("a search passes through its states, and fires once before the request")
    func searching() async throws {
        let outputs = ObservedValues { Outputs(screen) }
        search.repositories.answers { [recorder] query in
            recorder.expect(.search(query: query, page: 1))
            return [.flux, .swift]
        }
        recorder.expect { screen.textChanged("flux") }
        await screen.searchTapped()
        #expect(
            outputs.values == [
                Outputs(state: .empty, text: "", canSearch: false),
                Outputs(state: .empty, text: "flux", canSearch: true),
                Outputs(state: .searching, text: "flux", canSearch: false),
                Outputs(state: .found([.flux, .swift]), text: "flux", canSearch: true),
            ])
        #expect(search.repositories.calls == ["flux"])
        recorder.expect()
    }

    @Test("with an empty text, the button does nothing")
    func withoutText() async throws {
        await screen.searchTapped()
        #expect(screen.state == .empty)
        search.repositories.expectNever()
        recorder.expect()
    }

    @Test("a second tap while a request is pending fires nothing")
    func secondTap() async throws {
        search.repositories.answers { [screen, search] _ in
            if search.repositories.calls.count == 1 { await screen.searchTapped() }
            return [.flux]
        }
        screen.textChanged("flux")
        await screen.searchTapped()
        search.repositories.expectOnce()
        recorder.expect(.search(query: "flux", page: 1))
    }

    @Test("a retry repeats the failed search, even if the text has changed")
    func retry() async {
        let states = ObservedValues { screen.state }
        search.repositories.fails(with: .offline).thenAnswers([.flux])
        screen.textChanged("flux")
        await recorder.expect(.search(query: "flux", page: 1)) { await screen.searchTapped() }
        screen.textChanged("swift")
        await recorder.expect(.search(query: "flux", page: 1)) { await screen.retryTapped() }
        #expect(states.values == [.empty, .searching, .failed(.offline), .searching, .found([.flux])])
        await recorder.expect { await screen.retryTapped() }
    }

    @Test("a row opens its repository; an invalid row does nothing")
    func rows() async {
        let routes = StateRecorder(environment.route.store)
        screen.rowTapped(0)
        screen.textChanged("flux")
        await screen.searchTapped()
        screen.rowTapped(1)
        screen.rowTapped(2)
        #expect(routes.values.map(\.command) == [nil, .detail(.swift)])
        recorder.expectSteps(.event(.search(query: "flux", page: 1)), .route(AppRoute.detail(.swift)))
    }
}
