internal import Repositories

// tracking:double
/// Knows what else a user may like, handed in so that tests answer for it.
protocol RelatedSource: Sendable {
    /// What is like a repository, most alike first.
    func related(to repository: Repository) async throws(RequestFailure) -> [Repository]
    /// What the user may like, whatever is on the screen, best first.
    func recommended() async throws(RequestFailure) -> [Repository]
}
