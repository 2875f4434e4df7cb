internal import Repositories

/// The root of the tree.
@MainActor
final class RootRouter: Router, RootRouting {
    private let environment: AppEnvironment
    private let root: RootInteractor

    init(environment: AppEnvironment) {
        self.environment = environment
        root = RootInteractor(environment: environment)
        super.init(interactor: root)
        root.router = self
    }

    /// Call when the app was launched.
    func launch() { root.didAppear() }

    /// Opens the route of a link or a notification.
    func open(_ route: AppRoute) { root.open(route) }

    func attachSearch() { attach(Router(interactor: SearchInteractor(environment: environment, listener: root))) }

    func attachDetail(of repository: Repository) {
        attach(Router(interactor: DetailInteractor(environment: environment, repository: repository, listener: root)))
    }

    func detachDetails(_ count: Int) { detach(last: count) }
}
