internal import Primitives
internal import TrackingCore

/// The view model of a repository's page. Thread-safe.
public final class RepositoryDetailViewModel: Sendable {
    private struct State {
        var url: String?
        /// Whether the screen is visible and its page view is not sent yet.
        var awaitsURL = false
    }

    private let environment: GitHubEnvironment
    private let repositoryID: Int64
    private let state: Locked<State>
    private let subscription: Locked<FluxSubscription?> = Locked(nil)

    /// Creates the page of a loaded repository.
    public init(environment: GitHubEnvironment, repository: Repository) {
        self.environment = environment
        repositoryID = repository.id
        state = Locked(State(url: repository.htmlURL))
    }

    /// Creates the page of a repository of which only the number is known, and requests the rest.
    public init(environment: GitHubEnvironment, repositoryID: Int64) {
        self.environment = environment
        self.repositoryID = repositoryID
        state = Locked(State())
        let subscription = environment.repository.store.subscribe { [weak self] state in
            if let found = state.found[repositoryID] { self?.urlBecameKnown(found.htmlURL) }
        }
        self.subscription.withLock { $0 = subscription }
        environment.repository.actionCreator.load(id: repositoryID)
    }

    /// Call when the screen appeared. The page view contains the page's URL, so it waits until the URL is known.
    public func viewDidAppear() {
        let url = state.withLock { state in
            state.awaitsURL = state.url == nil
            return state.url
        }
        if let url { sendPageView(url) }
    }

    /// Call when the screen disappeared. A page view that still waits for its URL is discarded.
    public func viewDidDisappear() { state.withLock { $0.awaitsURL = false } }

    private func urlBecameKnown(_ url: String) {
        let isAwaited = state.withLock { state in
            state.url = url
            defer { state.awaitsURL = false }
            return state.awaitsURL
        }
        if isAwaited { sendPageView(url) }
    }

    private func sendPageView(_ url: String) {
        environment.tracking.send(.pageView(.repositoryDetail(url: url)))
    }
}
