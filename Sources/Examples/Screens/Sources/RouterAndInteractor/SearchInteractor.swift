internal import Repositories
internal import TrackingCore

// tracking:double
/// Handles the decisions that the search screen leaves to its parent.
@MainActor
protocol SearchListener: AnyObject {
    /// The user selected a repository.
    func searchDidSelect(_ repository: Repository)
}

/// The interactor of the search screen.
@MainActor
final class SearchInteractor: Interactor {
    private let environment: AppEnvironment
    private weak var listener: (any SearchListener)?

    init(environment: AppEnvironment, listener: any SearchListener) {
        self.environment = environment
        self.listener = listener
    }

    func didAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// Call when a row was tapped.
    func rowTapped(_ repository: Repository) { listener?.searchDidSelect(repository) }
}
