// tracking:double
/// Provides the user's location, a dependency that tests replace.
protocol LocationProvider: Sendable {
    /// The user's current location.
    func location() async throws(LocationFailure) -> Coordinate
}

/// The error if the location is unavailable.
enum LocationFailure: Error, Equatable, Sendable {
    /// The user denied access to the location.
    case refused
    /// The device does not know the location.
    case unknown
}
