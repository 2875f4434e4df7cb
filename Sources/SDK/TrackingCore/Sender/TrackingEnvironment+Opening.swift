public import EventLog

extension TrackingEnvironment {
    /// Makes an environment and opens its log in the background; returns immediately.
    ///
    /// ```swift
    /// let environment = TrackingEnvironment<AppRoute>.live(
    ///     opening: { try await SQLiteEventStore.open(path: path, options: options) },
    ///     storage: storage, clock: clock, timer: ContinuousClock(), ids: ids, sinks: [sink], context: context
    /// ) { diagnostic in … }
    /// ```
    ///
    /// **Until the log is open,** events wait in memory, encoded, with their id and time, up to `maximumHeldBytes`. The
    /// receipts of ``Tracker/send(_:)`` are pending. When the log opens, events, answers and changes of the identity take
    /// effect in the order of the calls and before any later call: the events get their numbers, users and sessions, and
    /// reach the subscribers. Events without room are dropped and counted in the ledger as
    /// ``/EventLog/DropReason/notOpen``. Waiting events are lost if the process ends.
    ///
    /// **If the log can't be opened,** the first error is reported to `diagnostics` as ``TrackingDiagnostic/log(_:)``,
    /// and opening is retried after 1, 2, 4 seconds and so on, at most 30. Events continue to wait, nothing is
    /// delivered, and methods that wait for the log throw the error. `storage` keeps the counts of dropped events. The
    /// next log that is opened with this storage adds the counts to its ledger, even in another process.
    ///
    /// **Consent.** Until the log is open, consent is unknown and events wait; a denial removes the waiting events of the
    /// present person. With ``/EventLog/ConsentPolicy/required``, the missing consent is stored before the first event is
    /// in the log, so that nothing is delivered too early. Events of a person who has denied consent according to the log
    /// are dropped as ``/EventLog/DropReason/optedOut``.
    ///
    /// **If the storage can't be read,** the error is reported to `diagnostics` as ``TrackingDiagnostic/storage(_:)``,
    /// and reading is retried before the log is opened. Until then the device's id is empty, and none is created. Methods
    /// that wait for the log throw the error. Dropped events are counted in memory, and are in the ledger when the log
    /// opens.
    ///
    /// **If the device has not been unlocked since its restart,** methods that wait for the log wait until the user
    /// unlocks the device, and throw nothing: see ``DeviceLockedError``.
    ///
    /// `backgroundTime` covers the opening from this call on: if the app enters the background meanwhile, its events
    /// are stored and its flush is started before it is suspended, as far as the system's time allows.
    ///
    /// Such an environment can't be recorded.
    ///
    /// - Parameters:
    ///   - opening: Opens the log, in a task of its own. Called again if it throws. It must not block its thread.
    ///   - storage: Stores device id and user. Not used on the caller's thread.
    ///   - clock: The time of events.
    ///   - timer: Measures the flush interval and the wait before retries.
    ///   - ids: The source of identifiers.
    ///   - sinks: The destinations of events, each with its own cursor. Names must differ. If the log already delivers
    ///     to another sink of the same name, the ``SinkConflict`` is reported as ``TrackingDiagnostic/log(_:)``, and
    ///     this environment delivers nothing.
    ///   - flushPolicy: When events are delivered.
    ///   - sendingLimit: The guard against a runaway loop; nil for no limit.
    ///   - unplanned: Whether events without a schema in the plan are sent.
    ///   - session: Whether the newest event's session is continued.
    ///   - consent: The policy for users who have not answered yet.
    ///   - context: The versions of app and system in each container; nil for none.
    ///   - maximumHeldBytes: The encoded values that wait for the log, in bytes; in addition at most 256 bytes an event.
    ///     Default: 4 MiB.
    ///   - backgroundTime: Prevents the system from suspending the process while the log opens.
    ///   - diagnostics: Receives errors. Called on any thread, without a lock held.
    public static func live(
        opening: @escaping @Sendable () async throws -> any EventStore, storage: any KeyValueStorage,
        clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs, sinks: [any Sink],
        flushPolicy: FlushPolicy = .standard, sendingLimit: SendingLimit? = .standard,
        unplanned: UnplannedEvents = .rejected, session: Session = .resumed,
        consent: ConsentPolicy = .assumed, context: TrackingContext?, maximumHeldBytes: Int = 4 << 20,
        backgroundTime: any BackgroundTime = .system,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Self {
        var setup = TrackerSetup(clock: clock, timer: timer, ids: ids, context: context, diagnostics: diagnostics)
        setup.sendingLimit = sendingLimit
        setup.unplanned = unplanned
        setup.session = session
        setup.consent = consent
        setup.flushPolicy = flushPolicy
        setup.backgroundTime = backgroundTime
        setup.maximumHeldBytes = maximumHeldBytes
        return Self(Tracker.open(setup, storage: storage) { (try BlockedThread.wait { try await opening() }, sinks) })
    }
}
