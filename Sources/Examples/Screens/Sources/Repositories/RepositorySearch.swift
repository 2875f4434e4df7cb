// tracking:double
/// Searches for repositories, a dependency that tests replace.
public protocol RepositorySearch: Sendable {
    /// The first page of results for a query, best first.
    func repositories(matching query: String) async throws(RequestFailure) -> [Repository]
}
