internal import Repositories
internal import TrackingCore

// tracking:double
/// Hears what the search screen cannot decide itself.
@MainActor
protocol SearchListener: AnyObject {
    /// The user chose a repository.
    func searchDidSelect(_ repository: Repository)
}

/// Decides for the search screen.
@MainActor
final class SearchInteractor: Interactor {
    private let environment: AppEnvironment
    private weak var listener: (any SearchListener)?

    init(environment: AppEnvironment, listener: any SearchListener) {
        self.environment = environment
        self.listener = listener
    }

    func didAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// A row was tapped.
    func rowTapped(_ repository: Repository) { listener?.searchDidSelect(repository) }
}
