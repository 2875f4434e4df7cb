/// A repository, as far as the screens show it.
public struct Repository: Hashable, Sendable {
    /// Owner and name, which no other has: `apple/swift`.
    public let fullName: String
    /// The address of its page.
    public let url: String
    /// How many users have starred it.
    public let stars: Int

    /// Makes a repository.
    public init(fullName: String, url: String, stars: Int) {
        self.fullName = fullName
        self.url = url
        self.stars = stars
    }
}
