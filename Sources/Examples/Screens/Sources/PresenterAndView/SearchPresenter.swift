internal import Repositories
internal import TrackingCore
internal import TrackingDomainEvents

/// The search screen as a presenter that tells a view, behind a protocol, what to show: MVP, or the P of VIPER.
///
/// - Who builds so: teams whose views are UIKit or AppKit, and are kept free of decisions.
/// - Where events fire: in the presenter, when the view says what the user did, and before the view is told anything.
/// - What the test asserts: which of the view's methods are called, in which order, with what, and what has fired by then.
@MainActor
final class SearchPresenter {
    /// The view, which holds its presenter; nil once it is gone.
    weak var view: (any SearchView)?

    private let environment: AppEnvironment
    private let repositories: any RepositorySearch
    private var found: [Repository] = []
    private var searches = 0

    init(environment: AppEnvironment, repositories: any RepositorySearch) {
        self.environment = environment
        self.repositories = repositories
    }

    /// The view appeared: first, again, or back from a detail.
    func viewDidAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// The search button was tapped. Returns when the answer is there.
    func searchTapped(_ text: String) async {
        guard !text.isEmpty else {
            view?.showMessage("Type what to search for.")
            return
        }
        searches += 1
        let search = searches
        found = []
        environment.tracking.send(.search(query: text, page: 1))
        view?.showProgress()
        let answer = await answer(to: text)
        // Another search may have begun: its answer is the one that is waited for.
        guard search == searches else { return }
        view?.hideProgress()
        switch answer {
        case .success([]): view?.showMessage("Nothing was found.")
        case .success(let repositories):
            found = repositories
            view?.showRows(found.map(Self.row))
        case .failure(let failure): view?.showMessage(Self.message(for: failure))
        }
    }

    /// A row was tapped: opens its repository.
    func rowTapped(_ row: Int) {
        if found.indices.contains(row) { environment.show(.detail(found[row])) }
    }

    private func answer(to query: String) async -> Result<[Repository], RequestFailure> {
        do {
            return .success(try await repositories.repositories(matching: query))
        } catch {
            return .failure(error)
        }
    }

    private static func row(_ repository: Repository) -> SearchRow {
        SearchRow(
            title: repository.fullName, subtitle: repository.stars == 1 ? "1 star" : "\(repository.stars) stars")
    }

    private static func message(for failure: RequestFailure) -> String {
        switch failure {
        case .offline: "There is no connection."
        case .unavailable, .cancelled: "The search is not available; try again."
        }
    }
}
