public import Foundation
public import JSONLines
public import TrackingCore

/// Tracks the app's life cycle.
public struct AppLifeCycle: Sendable {
    private let environment: GitHubEnvironment

    /// Creates the handler.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// Call when the app became active in the foreground.
    public func didBecomeActive() { environment.tracking.send(.launch) }

    /// Call when the app entered the background.
    public func didEnterBackground() { environment.tracking.send(.background) }

    /// Tracks the system's life-cycle notifications.
    ///
    /// - Parameters:
    ///   - hub: The hub that posts the notifications.
    ///   - active: The notification that the app became active.
    ///   - background: The notification that the app entered the background.
    /// - Returns: A token that keeps the observation alive. Release or cancel it to stop.
    public func follow(
        _ hub: any NotificationHub, active: Notification.Name, background: Notification.Name
    ) -> FluxSubscription {
        let tokens = [
            hub.observe(active) { didBecomeActive() }, hub.observe(background) { didEnterBackground() },
        ]
        return FluxSubscription { for token in tokens { hub.end(token) } }
    }
}

/// Tracks responses to notifications, and follows their links.
public struct NotificationHandler: Sendable {
    private let environment: GitHubEnvironment

    /// Creates the handler.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// Call when the user responded to a notification.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier.
    ///   - userInfo: The notification's content; a number under `repository_id` opens that repository.
    ///   - completion: Called exactly once, after the event is sent and the link is followed.
    public func didReceive(identifier: String, userInfo: [String: JSONValue], completion: () -> Void) {
        environment.tracking.send(.notification(identifier: identifier, userInfo: userInfo))
        if let id = userInfo["repository_id"]?.integerValue { environment.show(.repositoryDetailByID(id)) }
        completion()
    }
}
