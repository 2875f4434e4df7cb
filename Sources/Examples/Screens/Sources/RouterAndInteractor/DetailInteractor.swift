internal import Repositories
internal import TrackingCore

// tracking:double
/// Hears what a repository's page cannot decide itself.
@MainActor
protocol DetailListener: AnyObject {
    /// The user is done with the page.
    func detailDidClose()
}

/// Decides for the page of a repository.
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

    /// The close button was tapped.
    func closeTapped() { listener?.detailDidClose() }
}
