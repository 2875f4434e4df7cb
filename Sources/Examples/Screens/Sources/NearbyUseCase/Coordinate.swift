internal import Foundation

/// A place on the Earth.
struct Coordinate: Equatable, Sendable {
    /// Degrees from the equator, north positive: -90 to 90.
    let latitude: Double
    /// Degrees from Greenwich, east positive: -180 to 180.
    let longitude: Double

    /// The mean radius of the Earth in metres.
    private static let radius = 6_371_000.0

    /// How far another place is, in metres, along a great circle.
    func distance(to other: Coordinate) -> Double {
        let (from, to) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let turn = (other.longitude - longitude) * .pi / 180
        // The haversine of the angle between the two: exact for near places, too. Rounding may take it past 1.
        let haversine = pow(sin((to - from) / 2), 2) + cos(from) * cos(to) * pow(sin(turn / 2), 2)
        return 2 * Self.radius * asin(min(1, haversine.squareRoot()))
    }
}
