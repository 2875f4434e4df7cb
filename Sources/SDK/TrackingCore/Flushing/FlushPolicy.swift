/// When events are delivered, besides by hand.
public struct FlushPolicy: Hashable, Sendable {
    /// After so many events since the last flush; nil never.
    public var eventCount: Int?
    /// After so much time, again and again; nil never.
    public var interval: Duration?
    /// When a `background` event is sent.
    public var onBackground: Bool
    /// How long a sink may take for one batch, in real time.
    public var deadline: Duration

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - eventCount: At least 1; the flush starts at exactly that many.
    ///   - interval: Above zero.
    ///   - onBackground: Whether `background` starts one.
    ///   - deadline: How long a sink may take for one batch.
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

    /// Only by hand.
    public static let manual = FlushPolicy()
}
