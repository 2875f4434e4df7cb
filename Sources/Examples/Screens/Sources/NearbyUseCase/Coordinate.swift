internal import Foundation

/// A location on the Earth.
struct Coordinate: Equatable, Sendable {
    /// Degrees from the equator, north positive: -90 to 90.
    let latitude: Double
    /// Degrees from Greenwich, east positive: -180 to 180.
    let longitude: Double

    /// The mean radius of the Earth in meters.
    private static let radius = 6_371_000.0

    /// The distance to another location in meters, along a great circle.
    func distance(to other: Coordinate) -> Double {
        let from = latitude * .pi / 180
        let to = other.latitude * .pi / 180
        let turn = (other.longitude - longitude) * .pi / 180
        // The haversine of the central angle, which is precise for small distances, too. Rounding may give a value
        // above 1.
        let haversine = pow(sin((to - from) / 2), 2) + cos(from) * cos(to) * pow(sin(turn / 2), 2)
        return 2 * Self.radius * asin(min(1, haversine.squareRoot()))
    }
}
