public import EventLog
public import TrackingCore

extension Tracker {
    /// Starts tracking: makes a tracker, and opens its log in the background.
    ///
    /// ```swift
    /// let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: "wk_…"))
    /// tracker.send(.checkoutCompleted(items: 3))
    /// ```
    ///
    /// Never fails and never blocks: no file is accessed on the caller's thread. Start once per process and folder, and
    /// pass the tracker on. Two trackers may share a folder; each has its own session.
    ///
    /// **Until the log is open,** usually for a few milliseconds, up to 1,000 events wait in memory. Their receipts are
    /// pending, see ``/TrackingCore/TrackingReceipt/isPending``. If the process is killed, they are lost. Events get their numbers
    /// when the log opens, in the order of the calls.
    ///
    /// **If the log can't be opened,** or the identity can't be read, the first error is reported to `diagnostics`, and
    /// opening is retried after 1, 2, 4 seconds and so on, at most 30. Up to 1,000 events wait meanwhile; further
    /// events are dropped and counted in the ledger. ``/TrackingCore/Tracker/flush()`` returns, and
    /// ``/TrackingCore/Tracker/flushToDisk()`` and ``/TrackingCore/Tracker/close()`` throw the error. If the device has
    /// not been unlocked since its restart, these methods wait until the user unlocks it.
    ///
    /// **A command-line program** must call ``/TrackingCore/Tracker/flush()`` or ``/TrackingCore/Tracker/close()`` before it ends. Otherwise it
    /// loses events whose receipts are pending.
    ///
    /// **If a delivery can't be set up,** because of a malformed URL or key, the error is reported as
    /// ``/TrackingCore/TrackingDiagnostic/sinkHalted(sink:reason:)``. Its events stay in the log and are delivered after the next
    /// start with a valid URL and key.
    ///
    /// - Parameters:
    ///   - deliveries: The destinations of events, each with its own cursor. Default: JSON lines next to the log,
    ///     ``TrackingDelivery/file``.
    ///   - folder: The folder of the log and the identity. Created with mode 0700 if it is missing. Default: on Apple
    ///     systems `swift-tracking` in the app's Application Support folder, elsewhere
    ///     `$XDG_DATA_HOME/<program>/swift-tracking`, or `~/.local/share/…` without that variable. Pass a folder if
    ///     several programs have the same name, or if the user has no home folder.
    ///   - storage: Stores device id, user and opt-out. Default: `tracking.json` in the folder.
    ///   - clock: The time of events. Default: the system's wall clock.
    ///   - timer: Measures the flush interval, pauses and the wait before retries.
    ///   - ids: The source of the ids of events, sessions, devices and the install.
    ///   - context: Versions in each envelope. Default: app and system of this process, ``TrackingContext/system``.
    ///   - session: Whether the newest event's session continues if that event is at most 30 minutes old.
    ///   - consent: The policy for users who have not answered yet. Default: events are delivered.
    ///   - flushPolicy: When events are delivered. Default: at 30 events, every 30 seconds, and on background.
    ///   - sendingLimit: The guard against a runaway loop; nil for no limit. Default: 5,000 events per second.
    ///   - unplanned: Whether events without a schema in the plan are sent. Default: they are dropped and counted.
    ///   - switches: Remote switches, which turn events off or change how they are delivered. Default: none.
    ///   - configureLog: Sets options of the log: retention, disk limits, background time. Called on a background
    ///     thread, before each attempt to open the log.
    ///   - diagnostics: Receives errors. Called on any thread, without a lock held. Default: the system's log on Apple
    ///     systems, standard error elsewhere.
    public static func start(
        _ deliveries: TrackingDelivery..., folder: String? = nil, storage: (any KeyValueStorage)? = nil,
        clock: any TrackingClock = SystemTrackingClock(), timer: any Clock<Duration> = ContinuousClock(),
        ids: any TrackingIDs = RandomTrackingIDs(), context: TrackingContext? = .system,
        session: SessionStart = .resumed, consent: ConsentPolicy = .assumed, flushPolicy: FlushPolicy = .standard,
        sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .rejected,
        switches: TrackingSwitches? = nil,
        configureLog: @escaping @Sendable (inout SQLiteEventStore.Options) -> Void = { _ in },
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void = SystemDiagnostics.report
    ) -> Tracker {
        let files = TrackingFolder(path: folder)
        let storage = storage ?? StorageInFolder(files)
        let deliveries = deliveries.isEmpty ? [.file] : deliveries
        return open(
            {
                // The storage was read before.
                if let damage = (storage as? any SharedKeyValueStorage)?.takeDamage() { diagnostics(.storage(damage)) }
                let folder = try files.make()
                var options = SQLiteEventStore.Options(installID: { ids.uuid() })
                configureLog(&options)
                let log = try await SQLiteEventStore.open(path: folder + "/events.sqlite", options: options)
                return (log, sinks(deliveries, in: folder, clock: clock, diagnostics: diagnostics))
            },
            storage: storage, clock: clock, timer: timer, ids: ids,
            flushPolicy: flushPolicy, sendingLimit: sendingLimit, unplanned: unplanned, session: session,
            consent: consent,
            context: context, backgroundTime: .system,
            switches: switches.map { switches in
                SwitchesSetup {
                    let collector = deliveries.lazy.compactMap(\.collector).first
                    return try switches.parts(
                        SwitchesContext(collector: collector, folder: try files.make(), clock: clock))
                }
            },
            diagnostics: diagnostics)
    }

    /// The sinks that can be set up. The errors of the others are reported.
    private static func sinks(
        _ deliveries: [TrackingDelivery], in folder: String, clock: any TrackingClock,
        diagnostics: (TrackingDiagnostic) -> Void
    ) -> [any Sink] {
        deliveries.compactMap { delivery in
            do { return try delivery.makeSink(folder, clock) } catch {
                diagnostics(.sinkHalted(sink: delivery.name, reason: "\(error)"))
                return nil
            }
        }
    }
}
