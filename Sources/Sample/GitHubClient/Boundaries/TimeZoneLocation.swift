public import Foundation

/// The city that the time zone is named after, such as Berlin in `Europe/Berlin`. Needs no permission.
public struct TimeZoneLocation: LocationProvider {
    private let zone: TimeZone

    /// Creates a provider for a time zone; by default the device's.
    public init(_ zone: TimeZone = .current) { self.zone = zone }

    /// The name of the city.
    ///
    /// - Throws: ``LocationFailure`` `.unknown` for a zone without a city, such as `GMT`.
    public func city() throws(LocationFailure) -> String {
        let parts = zone.identifier.split(separator: "/")
        guard parts.count > 1, parts[0] != "Etc", let city = parts.last else { throw .unknown }
        return String(city).replacing("_", with: " ")
    }
}
