internal import Primitives
internal import TrackingCore
public import TrackingReplay

/// The complete app of one user, without a screen. Changes of the root's stack make screens appear, as in a navigation
/// controller.
public final class HeadlessApp: Sendable {
    private struct Screens {
        var search: RepositorySearchViewModel?
        var detail: RepositoryDetailViewModel?
    }

    /// The environment that the app's view models share.
    public let environment: GitHubEnvironment
    /// The handler of the app's life cycle.
    public let lifeCycle: AppLifeCycle
    /// The handler of the app's notifications.
    public let notifications: NotificationHandler
    private let root: RootViewModel
    private let screens = Locked(Screens())
    private let navigation: Locked<FluxSubscription?> = Locked(nil)

    /// Starts the app without showing a screen.
    public init(environment: GitHubEnvironment) {
        self.environment = environment
        lifeCycle = AppLifeCycle(environment: environment)
        notifications = NotificationHandler(environment: environment)
        root = RootViewModel(environment: environment)
        let subscription = root.navigation.subscribe { [weak self] change in self?.apply(change) }
        navigation.withLock { $0 = subscription }
    }

    /// The search screen; nil until it first appears.
    public var search: RepositorySearchViewModel? { screens.withLock { $0.search } }

    /// The screens from the root to the top.
    public var stack: [GitHubRoute] { root.screens }

    private func apply(_ change: NavigationChange) {
        screens.withLock { $0.detail }?.viewDidDisappear()
        switch change {
        case .set(let route), .push(let route): show(route)
        case .popToRoot:
            screens.withLock { $0.detail = nil }
            search?.viewDidAppear()
        }
    }

    private func show(_ route: GitHubRoute) {
        switch route {
        case .repositorySearch:
            let search = screens.withLock { screens in
                let search = screens.search ?? RepositorySearchViewModel(environment: environment)
                screens = Screens(search: search)
                return search
            }
            search.viewDidAppear()
        case .repositoryDetail(let repository):
            show(RepositoryDetailViewModel(environment: environment, repository: repository))
        case .repositoryDetailByID(let id):
            show(RepositoryDetailViewModel(environment: environment, repositoryID: id))
        }
    }

    private func show(_ detail: RepositoryDetailViewModel) {
        screens.withLock { $0.detail = detail }
        detail.viewDidAppear()
    }
}

extension HeadlessApp {
    /// Handles an input, and records it if the session is recorded. All inputs go through this method.
    ///
    /// - Returns: Whether the app acted on the input: false for a suppressed double tap, or a row that does not exist.
    @discardableResult
    public func take(_ input: GitHubInput) -> Bool {
        if case .answered(let request, let answer) = input {
            environment.recordedSession?.take(answer, to: request)
            return true
        }
        return environment.base.input(input) { act(on: input) }
    }

    private func act(on input: GitHubInput) -> Bool {
        switch input {
        case .becameActive: lifeCycle.didBecomeActive()
        case .enteredBackground: lifeCycle.didEnterBackground()
        case .opened(let route): environment.show(route)
        case .typed(let text): search?.searchTextChanged(text)
        case .searchTapped: search?.searchButtonTapped()
        case .scrolled(let reachedBottom): search?.listScrolled(reachedBottom: reachedBottom)
        case .retryTapped: search?.retryTapped()
        case .rowTapped(let row): return search?.rowSelected(row) ?? false
        case .notification(let identifier, let userInfo):
            notifications.didReceive(identifier: identifier, userInfo: userInfo) {}
        case .answered: break  // the recorded session has passed it on
        }
        return true
    }
}

extension HeadlessApp: ReplayedApp {
    public typealias Route = GitHubRoute

    /// Creates a replay of a recorded session of this app.
    public static func replay(of path: String) -> ActionReplay<HeadlessApp> {
        ActionReplay(path: path) { base in
            HeadlessApp(environment: GitHubEnvironment(base: base, session: SilentSession()))
        }
    }

    public func perform(_ input: GitHubInput) { take(input) }

    public var stores: [ReplayedStore] { [ReplayedStore("repository", environment.repository.store.state)] }
}
