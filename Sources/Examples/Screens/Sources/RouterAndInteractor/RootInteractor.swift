internal import Repositories
internal import TrackingCore

// tracking:double
/// What the root's interactor asks its router for.
@MainActor
protocol RootRouting: AnyObject {
    /// Puts the search screen at the bottom.
    func attachSearch()
    /// Puts a repository's page on top.
    func attachDetail(of repository: Repository)
    /// Takes so many pages away, from the top down.
    func detachDetails(_ count: Int)
}

/// The app's root as a pair of router and interactor: the interactor decides, the router attaches and detaches children.
///
/// - Who builds so: teams with RIBs and the like, whose app is a tree of nodes that need no view.
/// - Where events fire: in the interactor of the node that came to the screen; the router knows nothing of events.
/// - What the test asserts: of the interactor, how often it has children attached and detached; of the whole tree, its
///   children and the order of route commands and page views.
@MainActor
final class RootInteractor: Interactor, SearchListener, DetailListener {
    /// Its router, which holds it.
    weak var router: (any RootRouting)?

    private let environment: AppEnvironment
    private var pages: [Repository] = []

    init(environment: AppEnvironment) { self.environment = environment }

    func didAppear() { router?.attachSearch() }

    /// Goes somewhere: for links and notifications, and for what the children ask for. A page that is on top already is not
    /// opened again.
    func open(_ route: AppRoute) {
        switch route {
        case .search:
            environment.show(route)
            detachDetails(pages.count)
        case .detail(let repository):
            guard repository != pages.last else { return }
            environment.show(route)
            pages.append(repository)
            router?.attachDetail(of: repository)
        }
    }

    func searchDidSelect(_ repository: Repository) { open(.detail(repository)) }

    func detailDidClose() { detachDetails(1) }

    private func detachDetails(_ count: Int) {
        guard count > 0, count <= pages.count else { return }
        pages.removeLast(count)
        router?.detachDetails(count)
    }
}
