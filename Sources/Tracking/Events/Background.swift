/// The app went to the background.
public struct Background: TrackingEvent, Equatable {
    public static let name = "background"
    public static let carriesValue = false

    /// Makes the event.
    public init() {}
}

extension TrackingEvent where Self == Background {
    /// The app went to the background.
    public static var background: Self { Background() }
}
