/// The app became active.
public struct Launch: TrackingEvent, Equatable {
    public static let name = "launch"
    public static let carriesValue = false

    /// Makes the event.
    public init() {}
}

extension TrackingEvent where Self == Launch {
    /// The app became active.
    public static var launch: Self { Launch() }
}
