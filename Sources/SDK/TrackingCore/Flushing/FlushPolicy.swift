/// When events are delivered, in addition to manual flushes.
public struct FlushPolicy: Hashable, Sendable {
    /// Deliver after this many events since the last flush; nil for never.
    public var eventCount: Int?
    /// Deliver at this interval; nil for never.
    public var interval: Duration?
    /// Deliver when a `background` event is sent.
    public var onBackground: Bool
    /// The time that a sink may take for one batch, in real time.
    public var deadline: Duration

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - eventCount: At least 1. The flush starts at exactly this many events.
    ///   - interval: Greater than zero.
    ///   - onBackground: Whether `background` starts a flush.
    ///   - deadline: The time that a sink may take for one batch.
    public init(
        eventCount: Int? = nil, interval: Duration? = nil, onBackground: Bool = false,
        deadline: Duration = .seconds(60)
    ) {
        self.eventCount = eventCount.map { max($0, 1) }
        self.interval = interval.flatMap { $0 > .zero ? $0 : nil }
        self.onBackground = onBackground
        self.deadline = deadline
    }

    /// At 30 events, every 30 seconds, and on background.
    public static let standard = FlushPolicy(eventCount: 30, interval: .seconds(30), onBackground: true)

    /// Manual flushes only.
    public static let manual = FlushPolicy()
}
