import Repositories
import Testing

@testable import NearbyUseCase

@Suite("The order of nearby repositories")
struct NearbyOrderTests {
    @Test("sorts by band, then by stars, then by name")
    func keys() {
        let best = NearbyRepositories.best(
            of: [
                .placed("far/best", metres: 30_000, stars: 9),
                .placed("town/best", metres: 20_000, stars: 8),
                .placed("around/b", metres: 1, stars: 1),
                .placed("around/a", metres: 900, stars: 1),
                .placed("near/few", metres: 1_500, stars: 2),
                .placed("near/many", metres: 4_500, stars: 7),
            ], from: .berlin)
        #expect(best.map(\.fullName) == ["around/a", "around/b", "near/many", "near/few", "town/best"])
    }

    @Test(
        "a band starts at its limit",
        arguments: [
            (0.0, DistanceBand.around), (999.9, .around), (1_000, .near), (4_999.9, .near), (5_000, .inTown),
            (24_999.9, .inTown), (25_000, .far), (20_015_000, .far),
        ])
    func bands(metres: Double, band: DistanceBand) { #expect(DistanceBand(metres: metres) == band) }

    @Test("distances follow the Earth's surface: in a town, across an ocean, the date line, to the antipode")
    func distances() {
        let paris = Coordinate(latitude: 48.8566, longitude: 2.3522)
        let west = Coordinate(latitude: 0, longitude: 179.5)
        let east = Coordinate(latitude: 0, longitude: -179.5)
        #expect(abs(Coordinate.berlin.distance(to: paris) - 877_000) < 1_000)
        #expect(abs(west.distance(to: east) - 111_195) < 1)
        #expect(Coordinate.berlin.distance(to: .berlin) == 0)
        let other = Coordinate(latitude: -52.52, longitude: 13.405 - 180)
        #expect(abs(Coordinate.berlin.distance(to: other) - 20_015_087) < 1)
    }

    @Test(
        "the order of the input changes neither the five repositories nor their order", arguments: 0..<50)
    func anyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Few distances and few star counts, so that most repositories tie in one or both.
        var placed = (0..<Int.random(in: 0...12, using: &random)).map { number in
            PlacedRepository.placed(
                "name-\(number)", metres: [500, 3_000, 10_000, 90_000].randomElement(using: &random) ?? 0,
                stars: Int.random(in: 0...2, using: &random))
        }
        let best = NearbyRepositories.best(of: placed, from: .berlin)
        #expect(best.count == min(5, placed.count))
        // By definition, exactly the better repositories precede each repository.
        for (location, repository) in best.enumerated() {
            #expect(placed.filter { beats($0, repository, in: placed) }.count == location)
        }
        for _ in 0..<10 {
            placed.shuffle(using: &random)
            #expect(NearbyRepositories.best(of: placed, from: .berlin) == best)
        }
    }

    private func beats(_ one: PlacedRepository, _ other: Repository, in all: [PlacedRepository]) -> Bool {
        guard let other = all.first(where: { $0.repository == other }) else { return false }
        let left = band(one)
        let right = band(other)
        if left != right { return left < right }
        if one.repository.stars != other.repository.stars { return one.repository.stars > other.repository.stars }
        return one.repository.fullName < other.repository.fullName
    }

    private func band(_ one: PlacedRepository) -> DistanceBand {
        DistanceBand(metres: Coordinate.berlin.distance(to: one.location))
    }
}
