public import Foundation

/// Knows roughly where the user is, handed in so that tests say it.
// tracking:double
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

/// The city that the time zone is named after, such as Berlin in `Europe/Berlin`. Asks nobody for permission.
public struct TimeZoneLocation: LocationProvider {
    private let zone: TimeZone

    /// Makes a provider for a time zone: the device's, unless said otherwise.
    public init(_ zone: TimeZone = .current) { self.zone = zone }

    /// The name of the city.
    ///
    /// - Throws: ``LocationFailure`` `.unknown` for a zone that is named after no city, such as `GMT`.
    public func city() throws(LocationFailure) -> String {
        let parts = zone.identifier.split(separator: "/")
        guard parts.count > 1, parts[0] != "Etc", let city = parts.last else { throw .unknown }
        return String(city).replacing("_", with: " ")
    }
}
