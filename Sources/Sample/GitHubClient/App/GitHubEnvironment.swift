public import Tracking

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
    public var tracking: TrackingModel { base.tracking }
    /// What time it is.
    public var clock: any TrackingClock { base.clock }

    /// Goes somewhere.
    public func show(_ command: GitHubRoute) { base.show(command) }
}
