public import Tracking

/// Where the sample app can go.
public enum GitHubRoute: RouteCommand, Codable {
    /// The search screen, which is the root.
    case repositorySearch
    /// The page of a repository that is at hand.
    case repositoryDetail(Repository)
    /// The page of a repository of which only the number is known: a link in a notification.
    case repositoryDetailByID(Int64)
}
