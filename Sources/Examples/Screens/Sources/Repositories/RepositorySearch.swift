// tracking:double
/// Searches for repositories, handed in so that tests answer for it.
public protocol RepositorySearch: Sendable {
    /// The first page of what a query finds, best first.
    func repositories(matching query: String) async throws(RequestFailure) -> [Repository]
}
