internal import Repositories

// tracking:double
/// Finds repositories by location, a dependency that tests replace.
protocol RepositoryMap: Sendable {
    /// The repositories around a location, in no particular order.
    func repositories(around location: Coordinate) async throws(RequestFailure) -> [PlacedRepository]
}

/// A repository and the location of its owner.
struct PlacedRepository: Equatable, Sendable {
    let repository: Repository
    let location: Coordinate
}
