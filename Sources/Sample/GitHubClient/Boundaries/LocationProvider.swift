// tracking:double
/// Knows roughly where the user is, handed in so that tests say it.
public protocol LocationProvider: Sendable {
    /// The name of the user's city, in English.
    func city() async throws(LocationFailure) -> String
}

/// No place.
public enum LocationFailure: Error, Equatable, Sendable {
    /// The user does not want to tell.
    case denied
    /// The device does not know.
    case unknown
}
