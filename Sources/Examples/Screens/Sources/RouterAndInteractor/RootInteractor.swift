internal import Repositories
internal import TrackingCore

// tracking:double
/// The operations of the root's router.
@MainActor
protocol RootRouting: AnyObject {
    /// Attaches the search screen at the bottom.
    func attachSearch()
    /// Attaches a repository's page on top.
    func attachDetail(of repository: Repository)
    /// Detaches pages, from the top down.
    func detachDetails(_ count: Int)
}

/// The root of the app as a pair of router and interactor: the interactor decides, the router attaches and detaches
/// children.
///
/// - Used by: teams with RIBs and similar architectures, whose app is a tree of nodes that need no views.
/// - Where events fire: in the interactor of the node that appeared; the router has no tracking code.
/// - What the tests assert: for the interactor, how often children are attached and detached; for the whole tree, its
///   children and the order of route commands and page views.
@MainActor
final class RootInteractor: Interactor, SearchListener, DetailListener {
    /// Its router, which owns the interactor.
    weak var router: (any RootRouting)?

    private let environment: AppEnvironment
    private var pages: [Repository] = []

    init(environment: AppEnvironment) { self.environment = environment }

    func didAppear() { router?.attachSearch() }

    /// Navigates to a route, for links, notifications and the children. Does nothing if the page is already on top.
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
