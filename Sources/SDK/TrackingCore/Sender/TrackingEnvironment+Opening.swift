public import EventLog

extension TrackingEnvironment {
    /// Makes an environment and opens its log in the background; returns immediately.
    ///
    /// **Until the log is open,** calls wait in memory and take effect in their order when it opens: see
    /// ``Tracker/opened()``. Events are encoded, have their id and time, and pending receipts. Those without room are
    /// dropped and counted as ``/EventLog/DropReason/notOpen``. Waiting events are lost if the process ends. The consent is
    /// unknown, and a denial removes the waiting events of the present person.
    ///
    /// **If the storage can't be read or the log can't be opened,** the first error is reported as
    /// ``TrackingDiagnostic/storage(_:)`` or ``TrackingDiagnostic/log(_:)``, and the attempt is repeated after 1, 2, 4
    /// seconds and so on, at most 30. Events continue to wait, and methods that wait for the log throw the error, unless
    /// the device only has to be unlocked: see ``DeviceLockedError``. `storage` keeps the counts of dropped events until a
    /// log is opened with it, even in another process.
    ///
    /// With a policy that stores nothing before the answer, the log is opened all the same, since only it knows the answers;
    /// events wait in memory then. `Tracker.start` opens its log only when it is needed.
    ///
    /// Such an environment can't be recorded.
    ///
    /// - Parameters:
    ///   - opening: Opens the log. Called again if it throws. It must not block its thread.
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
