public import JSONLines
internal import Tracking

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
