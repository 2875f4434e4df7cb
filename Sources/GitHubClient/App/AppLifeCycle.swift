internal import Tracking

/// Tracks what the system says about the app's life.
public struct AppLifeCycle: Sendable {
    private let environment: GitHubEnvironment

    /// Makes the handler.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// The app came to the foreground.
    public func didBecomeActive() { environment.tracking.send(.launch) }

    /// The app went to the background.
    public func didEnterBackground() { environment.tracking.send(.background) }
}
