public import JSONLines

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
