public import Foundation
public import JSONLines
public import TrackingCore

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

/// Tracks the response to a notification, and follows its link.
public struct NotificationHandler: Sendable {
    private let environment: GitHubEnvironment

    /// Makes the handler.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// The user responded to a notification.
    ///
    /// - Parameters:
    ///   - identifier: Which notification.
    ///   - userInfo: What it carries; a number under `repository_id` opens that repository.
    ///   - completion: Called exactly once, when the event was sent and the link followed.
    public func didReceive(identifier: String, userInfo: [String: JSONValue], completion: () -> Void) {
        environment.tracking.send(.notification(identifier: identifier, userInfo: userInfo))
        if let id = userInfo["repository_id"]?.integerValue { environment.show(.repositoryDetailByID(id)) }
        completion()
    }
}
