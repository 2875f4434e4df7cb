// tracking:double
/// Provides the user's approximate location, a dependency that tests replace.
public protocol LocationProvider: Sendable {
    /// The name of the user's city, in English.
    func city() async throws(LocationFailure) -> String
}

/// The error if the location is unavailable.
public enum LocationFailure: Error, Equatable, Sendable {
    /// The user denied access to the location.
    case denied
    /// The device does not know the location.
    case unknown
}
