import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import NearbyUseCase

@Suite("A use case with an injected location")
struct NearbyRepositoriesTests {
    let recorder: TrackingRecorder
    let location = LocationProviderDouble()
    let map = RepositoryMapDouble()
    let nearby: NearbyRepositories

    init() throws {
        recorder = TrackingRecorder(validatingAgainst: try .ofExamples())
        nearby = NearbyRepositories(environment: .mock(recording: recorder), location: location, map: map)
        location.locationMethod.answers(.berlin)
    }

    @Test("shows at most five repositories, and fires their number", arguments: [0, 1, 4, 5, 6, 20])
    func counts(of placed: Int) async throws {
        map.repositories.answers((0..<placed).map { .placed("\($0)", metres: 10, stars: $0) })
        let found = try await nearby.run()
        #expect(found.count == min(placed, 5))
        let asked = try map.repositories.requireOnce()
        #expect(asked == .berlin)
        recorder.expect(.nearbyShown(count: min(placed, 5)))
    }

    @Test("requests no repositories without a location", arguments: [LocationFailure.refused, .unknown])
    func withoutLocation(failure: LocationFailure) async throws {
        let expected: NearbyFailure = failure == .refused ? .refused : .unknown
        location.locationMethod.fails(with: failure)
        await #expect(throws: expected) { try await nearby.run() }
        map.repositories.expectNever()
        recorder.expect(.nearbyFailed(expected))
    }

    @Test("reports a failed request", arguments: [RequestFailure.offline, .unavailable, .cancelled])
    func failure(reason: RequestFailure) async {
        map.repositories.fails(with: reason)
        await #expect(throws: NearbyFailure.unavailable) { try await nearby.run() }
        recorder.expect(.nearbyFailed(.unavailable))
    }

    @Test("each run requests the location, and fires")
    func twice() async throws {
        map.repositories.answers([.placed("a", metres: 0, stars: 0)], [])
        let first = try await nearby.run()
        let second = try await nearby.run()
        #expect(first.map(\.fullName) == ["a"])
        #expect(second == [])
        location.locationMethod.expectCount(2)
        recorder.expect(.nearbyShown(count: 1), .nearbyShown(count: 0))
    }
}

extension Coordinate {
    static let berlin = Coordinate(latitude: 52.52, longitude: 13.405)
}

extension PlacedRepository {
    /// A repository at a distance from Berlin.
    static func placed(_ name: String, metres: Double, stars: Int) -> PlacedRepository {
        let degrees = metres / 6_371_000 * 180 / .pi
        return PlacedRepository(
            repository: Repository(fullName: name, url: "https://github.com/\(name)", stars: stars),
            location: Coordinate(latitude: Coordinate.berlin.latitude + degrees, longitude: Coordinate.berlin.longitude)
        )
    }
}
