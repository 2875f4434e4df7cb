public import Foundation
public import Tracking

/// Tracks what the system says about the app's life.
public struct AppLifeCycle: Sendable {
    private let environment: GitHubEnvironment

    /// Makes the handler.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// The app came to the foreground.
    public func didBecomeActive() { environment.tracking.send(.launch) }

    /// The app went to the background.
    public func didEnterBackground() { environment.tracking.send(.background) }

    /// Follows what the system posts about the app's life.
    ///
    /// - Parameters:
    ///   - hub: Where the system posts it.
    ///   - active: The name of what it posts when the app came to the foreground.
    ///   - background: The name of what it posts when the app went to the background.
    /// - Returns: The token that keeps it going: dropping or cancelling it ends it.
    public func follow(
        _ hub: any NotificationHub, active: Notification.Name, background: Notification.Name
    ) -> FluxSubscription {
        let tokens = [
            hub.observe(active) { didBecomeActive() }, hub.observe(background) { didEnterBackground() },
        ]
        return FluxSubscription { for token in tokens { hub.end(token) } }
    }
}
