/// With what an environment was started: the payload of its first entry.
package struct EnvironmentLaunch: Codable, Sendable {
    /// ``TrackingContext``, as far as the app says it.
    package struct Context: Codable, Sendable {
        package let app: String?
        package let os: String?
    }

    package let context: Context?
    package let eventsPerSecond: Int?
    /// Whether it goes on with the session of the log's newest event.
    package let isResumed: Bool

    init(context: TrackingContext?, limit: SendingLimit?, isResumed: Bool) {
        self.context = context.map { Context(app: $0.app, os: $0.os) }
        eventsPerSecond = limit?.eventsPerSecond
        self.isResumed = isResumed
    }

    private enum CodingKeys: String, CodingKey {
        case context
        case eventsPerSecond = "events_per_second"
        case isResumed = "is_resumed"
    }
}
