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
    /// **Until the log is open,** usually for a few milliseconds, events wait in memory, up to 4 MiB of encoded values. Their
    /// receipts are pending, see ``/TrackingCore/TrackingReceipt/isPending``. Events, answers and sign-ins apply when the
    /// log opens, in the order of the calls: events get their numbers and users then. If the process is killed before,
    /// they are lost. ``/TrackingCore/Tracker/opened()`` waits for this.
    ///
    /// **If the log can't be opened,** or the identity can't be read, the first error is reported to `diagnostics`, and
    /// opening is retried after 1, 2, 4 seconds and so on, at most 30. Events wait meanwhile; those without room are
    /// dropped and counted in the ledger. ``/TrackingCore/Tracker/flush()`` returns, and
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
    ///   - configuration: Folder, policy of consent, limits and more.
    ///   - diagnostics: Receives errors. Called on any thread, without a lock held; a report from within a report is left
    ///     out. Default: the system's log on Apple systems, standard error elsewhere.
    public static func start(
        _ deliveries: TrackingDelivery..., configuration: TrackingConfiguration = .standard,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void = SystemDiagnostics.report
    ) -> Tracker {
        let files = TrackingFolder(path: configuration.folder)
        let deliveries = deliveries.isEmpty ? [.file] : deliveries
        var setup = TrackerSetup(
            clock: configuration.clock, timer: configuration.timer, ids: configuration.ids,
            context: configuration.context, diagnostics: diagnostics)
        setup.session = configuration.session
        setup.consent = configuration.consent
        setup.purposes = configuration.purposes
        setup.consentScope = configuration.consentScope
        setup.sharesIdentity = configuration.storage == nil
        setup.cachedUsers = configuration.cachedUsers
        setup.flushPolicy = configuration.flushPolicy
        setup.sendingLimit = configuration.sendingLimit
        setup.unplanned = configuration.unplanned
        setup.maximumHeldBytes = configuration.maximumHeldBytes
        setup.unopenedConsent = { try UnopenedConsent(path: files.name() + "/events.sqlite") }
        setup.switches = configuration.switches.map { switches in
            SwitchesSetup {
                let collector = deliveries.lazy.compactMap(\.collector).first
                return try switches.parts(
                    SwitchesContext(collector: collector, folder: try files.make(), clock: configuration.clock))
            }
        }
        return open(setup, storage: configuration.storage ?? StorageInFolder(files)) {
            let folder = try files.make()
            var options = SQLiteEventStore.Options(installID: { configuration.ids.uuid() })
            configuration.configureLog(&options)
            let log = try SQLiteEventStore.openBlocking(path: folder + "/events.sqlite", options: options)
            return (log, sinks(deliveries, in: folder, clock: configuration.clock, diagnostics: diagnostics))
        }
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
