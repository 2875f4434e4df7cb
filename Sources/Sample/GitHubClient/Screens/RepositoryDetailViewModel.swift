internal import Primitives
internal import TrackingCore

/// A repository's page without a screen. Any thread.
public final class RepositoryDetailViewModel: Sendable {
    private struct State {
        var url: String?
        /// The screen is visible and its page view is not sent yet.
        var awaitsURL = false
    }

    private let environment: GitHubEnvironment
    private let repositoryID: Int64
    private let state: Locked<State>
    private let subscription: Locked<FluxSubscription?> = Locked(nil)

    /// Makes the page of a repository that is at hand.
    public init(environment: GitHubEnvironment, repository: Repository) {
        self.environment = environment
        repositoryID = repository.id
        state = Locked(State(url: repository.htmlURL))
    }

    /// Makes the page of a repository of which only the number is known, and asks for the rest.
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

    /// The screen appeared. Its page view names the page's URL, so it waits until that is known.
    public func viewDidAppear() {
        let url = state.withLock { state in
            state.awaitsURL = state.url == nil
            return state.url
        }
        if let url { sendPageView(url) }
    }

    /// The screen went away; a page view that still waits for its URL is not sent any more.
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
