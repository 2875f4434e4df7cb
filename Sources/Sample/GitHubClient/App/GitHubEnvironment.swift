public import JSONLines
public import TrackingCore

/// What the sample app's view models receive: the SDK's environment, and the app's own domain beside it.
public struct GitHubEnvironment: Sendable {
    /// The SDK's environment, with the app's routes.
    public let base: TrackingEnvironment<GitHubRoute>
    /// The app's own triple: searching repositories.
    public let repository: RepositoryDomain

    /// Stands before the network while the session is recorded or played again.
    let recordedSession: RecordedSession?

    /// Makes the app's environment.
    ///
    /// - Parameters:
    ///   - base: Made by `live(…)`, or by `mock(…)` in tests.
    ///   - session: Where repositories are asked for.
    public init(base: TrackingEnvironment<GitHubRoute>, session: any HTTPSession) {
        self.base = base
        recordedSession = base.recording.map { RecordedSession(session, recording: $0) }
        let dispatcher = FluxDispatcher<RepositoryAction>()
        base.recording?.observe(dispatcher, as: "repository")
        repository = RepositoryDomain(
            RepositoryActionCreator(dispatcher: dispatcher, session: recordedSession ?? session),
            initial: RepositoryState(), reduce: RepositoryState.reduce)
    }

    /// The Route triple.
    public var route: RouteDomain<GitHubRoute> { base.route }
    /// Sends events.
    public var tracking: Tracker { base.tracking }
    /// What time it is.
    public var clock: any TrackingClock { base.clock }

    /// Goes somewhere.
    public func show(_ command: GitHubRoute) { base.show(command) }
}

/// Where the sample app can go.
public enum GitHubRoute: RouteCommand, Codable {
    /// The search screen, which is the root.
    case repositorySearch
    /// The page of a repository that is at hand.
    case repositoryDetail(Repository)
    /// The page of a repository of which only the number is known: a link in a notification.
    case repositoryDetailByID(Int64)
}

/// Everything that comes to the sample app from its user, the system and the network.
public enum GitHubInput: Codable, Equatable, Sendable {
    /// The app came to the foreground.
    case becameActive
    /// The app went to the background.
    case enteredBackground
    /// The user went somewhere by other means than a row or a notification.
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
    /// A request was answered: the first is number 1.
    case answered(request: Int, HTTPAnswer)
}
