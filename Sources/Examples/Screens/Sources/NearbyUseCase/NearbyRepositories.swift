internal import Repositories
internal import TrackingCore

/// Why there are no repositories near the user.
enum NearbyFailure: String, Error, Encodable, Sendable {
    /// The user denied access to the location.
    case refused
    /// The device does not know the location.
    case unknown
    /// The request failed.
    case unavailable
}

/// Finds repositories near the user: a use case that several screens may run, a business rule without a screen.
///
/// - Used by: teams with clean architecture, whose view models only forward the results of use cases.
/// - Where events fire: in the use case, once per run, with its outcome, so that no screen can forget them.
/// - What the tests assert: the outcome and its event for each response of the dependencies; the order for any input.
struct NearbyRepositories: Sendable {
    /// The maximum number of repositories: 5.
    static let limit = 5

    private let environment: AppEnvironment
    private let location: any LocationProvider
    private let map: any RepositoryMap

    init(environment: AppEnvironment, location: any LocationProvider, map: any RepositoryMap) {
        self.environment = environment
        self.location = location
        self.map = map
    }

    /// Returns the best repositories near the user: at most ``limit``, in the order of ``best(of:from:)``.
    func run() async throws(NearbyFailure) -> [Repository] {
        do throws(NearbyFailure) {
            let repositories = try await nearby()
            environment.tracking.send(.nearbyShown(count: repositories.count))
            return repositories
        } catch {
            environment.tracking.send(.nearbyFailed(error))
            throw error
        }
    }

    private func nearby() async throws(NearbyFailure) -> [Repository] {
        let here: Coordinate
        do {
            here = try await location.location()
        } catch {
            throw error == .refused ? .refused : .unknown
        }
        do {
            return Self.best(of: try await map.repositories(around: here), from: here)
        } catch {
            throw .unavailable
        }
    }

    /// Returns the first ``limit`` repositories, sorted by distance band, then by descending stars, then by name. Names
    /// are unique, so the order of the input does not matter.
    static func best(of all: [PlacedRepository], from here: Coordinate) -> [Repository] {
        all.map { ($0.repository, DistanceBand(metres: here.distance(to: $0.location))) }
            .sorted { left, right in
                (left.1, -left.0.stars, left.0.fullName)
                    < (right.1, -right.0.stars, right.0.fullName)
            }
            .prefix(limit)
            .map(\.0)
    }
}
