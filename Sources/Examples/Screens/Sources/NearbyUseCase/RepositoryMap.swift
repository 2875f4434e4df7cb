internal import Repositories

// tracking:double
/// Knows repositories by where their owners are, handed in so that tests answer for it.
protocol RepositoryMap: Sendable {
    /// The repositories around a place, in no order.
    func repositories(around location: Coordinate) async throws(RequestFailure) -> [PlacedRepository]
}

/// A repository, and where its owner is.
struct PlacedRepository: Equatable, Sendable {
    let repository: Repository
    let location: Coordinate
}
