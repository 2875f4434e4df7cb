internal import Repositories
internal import TrackingCore

/// Why there are no repositories near the user.
enum NearbyFailure: String, Error, Encodable, Sendable {
    /// The user does not want to tell where that is.
    case refused
    /// The device does not know where that is.
    case unknown
    /// The request failed.
    case unavailable
}

/// The repositories near the user as a use case, which several screens may run: a rule of the business, without a screen.
///
/// - Who builds so: teams with clean architecture, whose view models only pass on what use cases answer.
/// - Where events fire: in the use case, once for each run, with its outcome; so no screen that runs it forgets them.
/// - What the test asserts: the outcome and its event for each answer of the outside; the order for any input.
struct NearbyRepositories: Sendable {
    /// So many at most: 5.
    static let limit = 5

    private let environment: AppEnvironment
    private let location: any LocationProvider
    private let map: any RepositoryMap

    init(environment: AppEnvironment, location: any LocationProvider, map: any RepositoryMap) {
        self.environment = environment
        self.location = location
        self.map = map
    }

    /// The best repositories near the user: at most ``limit``, in the order of ``best(of:from:)``.
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

    /// The first ``limit``: the nearest band first, in a band the one with more stars, then by name. Names differ, so the
    /// order of the input does not matter.
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
