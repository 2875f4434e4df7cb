public import EventLog
public import EventModel
public import TrackingCore

/// How a tracker works; see ``TrackingCore/Tracker/start(_:configuration:diagnostics:)``. The standard values suit most apps.
///
/// ```swift
/// let tracker = Tracker.start(
///     .http("https://collector.example.com/v1/events", key: "wk_…"),
///     configuration: TrackingConfiguration(consent: .required) { $0.flushPolicy = .manual })
/// ```
public struct TrackingConfiguration: Sendable {
    /// The standard values.
    public static let standard = TrackingConfiguration()

    /// The folder of the log and the identity. Created with mode 0700 if it is missing. nil: on Apple systems
    /// `swift-tracking` in the app's Application Support folder, elsewhere `$XDG_DATA_HOME/<program>/swift-tracking`, or
    /// `~/.local/share/…` without that variable. Set a folder if several programs have the same name, if the user has no
    /// home folder, or to share the log with an extension of the app.
    public var folder: String?
    /// Stores an identity that only this tracker uses, for demos and tests. nil: the identity is the log's, and shared by all
    /// processes that use the folder; `tracking.json` in the folder keeps it.
    public var storage: (any KeyValueStorage)?
    /// The time of events. Called on any thread, without a lock held.
    public var clock: any TrackingClock = SystemTrackingClock()
    /// Measures the flush interval, pauses and the wait before retries.
    public var timer: any Clock<Duration> = ContinuousClock()
    /// The source of the ids of events, sessions, devices and the install.
    public var ids: any TrackingIDs = RandomTrackingIDs()
    /// Versions in each envelope: app and system of this process. nil for none.
    public var context: TrackingContext? = .system
    /// Whether the newest event's session continues if that event is at most 30 minutes old.
    public var session = SessionStart.resumed
    /// The policy for people who have not answered: by default, events are delivered.
    public var consent = ConsentPolicy.assumed
    /// The purposes of the plan, which the build generates as `Purpose.planned`: an agreement that names no purpose is for
    /// these. nil: for those that the log knows.
    public var purposes: [Purpose]?
    /// Whether each person answers, or one answer is valid for the log.
    public var consentScope = ConsentScope.person
    /// How many users of ``/TrackingCore/Tracker/as(user:)`` keep their session in memory, at most 300 bytes each for ids of
    /// up to 60 bytes. The next event of another user starts a new session. By default 10,000; at least 1.
    public var cachedUsers = 10_000
    /// When events are delivered: by default at 30 events, every 30 seconds, and on background.
    public var flushPolicy = FlushPolicy.standard
    /// The guard against a runaway loop; nil for no limit. By default 5,000 events per second.
    public var sendingLimit: SendingLimit? = .standard
    /// Whether events without a schema in the plan are sent. By default they are dropped and counted.
    public var unplanned = UnplannedEvents.rejected
    /// Remote switches, which turn events off or change how they are delivered; nil for none.
    public var switches: TrackingSwitches?
    /// The encoded values of events that wait for the log to open, in bytes; in addition at most 256 bytes an event.
    public var maximumHeldBytes = 4 << 20
    /// Sets options of the log: retention, disk limits, background time. Called on the thread that opens the log, before
    /// each attempt.
    public var configureLog: @Sendable (inout SQLiteEventStore.Options) -> Void = { _ in }

    /// Makes a configuration: the standard values, apart from the given ones and those that a closure changes.
    public init(
        folder: String? = nil, consent: ConsentPolicy = .assumed, _ change: (inout Self) -> Void = { _ in }
    ) {
        self.folder = folder
        self.consent = consent
        change(&self)
    }
}
