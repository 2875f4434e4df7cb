public import JSONLines
public import TrackingCore

/// The environment of the sample app's view models: the SDK's environment and the app's repository domain.
public struct GitHubEnvironment: Sendable {
    /// The SDK's environment, with the app's routes.
    public let base: TrackingEnvironment<GitHubRoute>
    /// The app's own Flux triple: repositories.
    public let repository: RepositoryDomain

    /// Wraps the network while the session is recorded or replayed.
    let recordedSession: RecordedSession?

    /// Creates the app's environment.
    ///
    /// - Parameters:
    ///   - base: From `live(…)`, or from `mock(…)` in tests.
    ///   - session: The connection to the server of repositories.
    public init(base: TrackingEnvironment<GitHubRoute>, session: any HTTPSession) {
        self.base = base
        recordedSession = base.recording.map { RecordedSession(session, recording: $0) }
        let dispatcher = FluxDispatcher<RepositoryAction>()
        base.recording?.observe(dispatcher, as: "repository")
        repository = RepositoryDomain(
            RepositoryActionCreator(dispatcher: dispatcher, session: recordedSession ?? session),
            initial: RepositoryState(), reduce: RepositoryState.reduce)
    }

    /// The Flux triple of routes.
    public var route: RouteDomain<GitHubRoute> { base.route }
    /// Sends events.
    public var tracking: Tracker { base.tracking }
    /// The current time.
    public var clock: any TrackingClock { base.clock }

    /// Navigates to a route.
    public func show(_ command: GitHubRoute) { base.show(command) }
}

/// The routes of the sample app.
public enum GitHubRoute: RouteCommand, Codable {
    /// The search screen, which is the root.
    case repositorySearch
    /// The page of a loaded repository.
    case repositoryDetail(Repository)
    /// The page of a repository of which only the number is known, from a link in a notification.
    case repositoryDetailByID(Int64)
}

/// The inputs of the sample app from the user, the system and the network.
public enum GitHubInput: Codable, Equatable, Sendable {
    /// The app became active in the foreground.
    case becameActive
    /// The app entered the background.
    case enteredBackground
    /// The user navigated without a row or a notification.
    case opened(GitHubRoute)
    /// The text in the search field changed.
    case typed(String)
    /// The search button was tapped.
    case searchTapped
    /// The list was scrolled.
    case scrolled(reachedBottom: Bool)
    /// The retry button was tapped.
    case retryTapped
    /// A row was tapped.
    case rowTapped(Int)
    /// The user responded to a notification.
    case notification(identifier: String, userInfo: [String: JSONValue])
    /// A response arrived; requests are numbered from 1.
    case answered(request: Int, HTTPAnswer)
}
