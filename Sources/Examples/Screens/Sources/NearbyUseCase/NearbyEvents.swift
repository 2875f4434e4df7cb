internal import TrackingCore

/// Repositories near the user were shown. The event does not contain the location.
struct NearbyShown: TrackingEvent, Equatable {
    static let name = "nearby-shown"

    /// The number of repositories: 0 to 5.
    let count: Int
}

/// Repositories near the user could not be shown.
struct NearbyFailed: TrackingEvent, Equatable {
    static let name = "nearby-failed"

    /// The reason.
    let reason: NearbyFailure
}

extension TrackingEvent where Self == NearbyShown {
    /// Repositories near the user were shown.
    static func nearbyShown(count: Int) -> Self { NearbyShown(count: count) }
}

extension TrackingEvent where Self == NearbyFailed {
    /// Repositories near the user could not be shown.
    static func nearbyFailed(_ reason: NearbyFailure) -> Self { NearbyFailed(reason: reason) }
}
