internal import Repositories
internal import TrackingCore

// tracking:double
/// Handles the decisions that a repository's page leaves to its parent.
@MainActor
protocol DetailListener: AnyObject {
    /// The user closed the page.
    func detailDidClose()
}

/// The interactor of a repository's page.
@MainActor
final class DetailInteractor: Interactor {
    private let environment: AppEnvironment
    private let repository: Repository
    private weak var listener: (any DetailListener)?

    init(environment: AppEnvironment, repository: Repository, listener: any DetailListener) {
        self.environment = environment
        self.repository = repository
        self.listener = listener
    }

    func didAppear() { environment.tracking.send(.pageView(.repositoryDetail(url: repository.url))) }

    /// Call when the close button was tapped.
    func closeTapped() { listener?.detailDidClose() }
}
