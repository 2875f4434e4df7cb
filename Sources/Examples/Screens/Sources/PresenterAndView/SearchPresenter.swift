internal import Repositories
internal import TrackingCore
internal import TrackingDomainEvents

/// The search screen as a presenter that controls a view behind a protocol: MVP, or the P of VIPER.
///
/// - Used by: teams with UIKit or AppKit views that contain no decisions.
/// - Where events fire: in the presenter, when the view reports an action of the user, and before the presenter calls
///   the view.
/// - What the tests assert: which methods of the view are called, in which order and with which arguments, and what has
///   fired before.
@MainActor
final class SearchPresenter {
    /// The view, which owns its presenter; nil after the view is gone.
    weak var view: (any SearchView)?

    private let environment: AppEnvironment
    private let repositories: any RepositorySearch
    private var found: [Repository] = []
    private var searches = 0

    init(environment: AppEnvironment, repositories: any RepositorySearch) {
        self.environment = environment
        self.repositories = repositories
    }

    /// Call when the view appeared: for the first time, again, or on return from a detail.
    func viewDidAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// Call when the search button was tapped. Returns when the response has arrived.
    func searchTapped(_ text: String) async {
        guard !text.isEmpty else {
            view?.showMessage("Type a search term.")
            return
        }
        searches += 1
        let search = searches
        found = []
        environment.tracking.send(.search(query: text, page: 1))
        view?.showProgress()
        let answer = await answer(to: text)
        // A newer search may have started; only its response counts.
        guard search == searches else { return }
        view?.hideProgress()
        switch answer {
        case .success([]): view?.showMessage("No repositories found.")
        case .success(let repositories):
            found = repositories
            view?.showRows(found.map(Self.row))
        case .failure(let failure): view?.showMessage(Self.message(for: failure))
        }
    }

    /// Call when a row was tapped. Opens its repository.
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
        case .offline: "You are offline."
        case .unavailable, .cancelled: "Search is unavailable; try again."
        }
    }
}
