internal import Repositories

// tracking:double
/// Finds repositories that a user may like, a dependency that tests replace.
protocol RelatedSource: Sendable {
    /// Repositories similar to a repository, most similar first.
    func related(to repository: Repository) async throws(RequestFailure) -> [Repository]
    /// Recommended repositories, independent of the current page, best first.
    func recommended() async throws(RequestFailure) -> [Repository]
}
