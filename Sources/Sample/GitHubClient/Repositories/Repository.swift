/// A repository, as far as the app shows it, in the shape of the GitHub REST API.
public struct Repository: Codable, Equatable, Sendable {
    /// GitHub's number of it.
    public let id: Int64
    /// Its name without the owner.
    public let name: String
    /// The address of its page.
    public let htmlURL: String

    /// Makes a repository.
    public init(id: Int64, name: String, htmlURL: String) {
        self.id = id
        self.name = name
        self.htmlURL = htmlURL
    }

    private enum CodingKeys: String, CodingKey {
        case id, name
        case htmlURL = "html_url"
    }
}
