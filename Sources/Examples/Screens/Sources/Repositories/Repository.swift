/// A repository, with the members that the screens show.
public struct Repository: Hashable, Sendable {
    /// The unique full name, owner and name: `apple/swift`.
    public let fullName: String
    /// The URL of the repository's page.
    public let url: String
    /// The number of users who starred it.
    public let stars: Int

    /// Creates a repository.
    public init(fullName: String, url: String, stars: Int) {
        self.fullName = fullName
        self.url = url
        self.stars = stars
    }
}
