public import Tracking

private enum TrackerKey: DependencyKey {
    /// Starts at first use, once per process.
    static let liveValue = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))
}

extension DependencyValues {
    /// Sends events: `@Dependency(\.tracker) var tracker`.
    public var tracker: Tracker {
        get { self[TrackerKey.self] }
        set { self[TrackerKey.self] = newValue }
    }
}
