// tracking:double
/// Knows where the user is, handed in so that tests say it.
protocol LocationProvider: Sendable {
    /// Where the user is now.
    func location() async throws(LocationFailure) -> Coordinate
}

/// No place.
enum LocationFailure: Error, Equatable, Sendable {
    /// The user does not want to tell.
    case refused
    /// The device does not know.
    case unknown
}
