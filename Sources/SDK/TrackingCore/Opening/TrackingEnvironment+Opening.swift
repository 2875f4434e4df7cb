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
    /// **Until the log is open,** up to 1,000 events wait in memory, encoded, with their id, their time and their user;
    /// the receipts of ``Tracker/send(_:)`` are pending. When it is open, they get their numbers and sessions, and reach the
    /// subscribers, in the order in which they were sent, and before any event that is sent later. What comes past 1,000 is
    /// dropped and counted in the ledger as ``DropReason/notOpen``. Events that wait are lost if the process ends.
    ///
    /// **If the log can't be opened,** the first error is reported to `diagnostics` as ``TrackingDiagnostic/log(_:)``, and it
    /// is tried again: after 1 second, 2, 4 and so on up to 30. Events go on waiting, nothing is delivered, and methods that
    /// wait for the log throw the error. `storage` keeps the counts of what was dropped, so that the next log that opens
    /// with it has them in its ledger, in another process, too.
    ///
    /// **Consent.** Before the log is open, consent is unknown: events wait. An opt-out removes those that wait. With
    /// ``ConsentPolicy/required`` it is stored that the users have not agreed before the first event is in the log, so that
    /// nothing is delivered too early; events of a user whose refusal the log knows are dropped as ``DropReason/optedOut``.
    ///
    /// **If the storage can't be read,** the error is reported to `diagnostics` as ``TrackingDiagnostic/storage(_:)``, and
    /// reading is retried, before the log is opened. Until then the device's id is all zeros; events that wait get the user
    /// that the storage knows. No device id is made, and an opt-out holds. Methods that wait for the log throw the error.
    /// Dropped events are counted in memory, and are in the ledger when the log opens.
    ///
    /// **If the device was not unlocked since its start,** methods that wait for the log wait for that, and throw nothing: see
    /// ``DeviceLockedError``.
    ///
    /// The opening is covered by `backgroundTime` from this call on: an app that is sent to the background meanwhile has its
    /// events stored, and its flush begun, before it is suspended, as far as the system's time allows.
    ///
    /// Such an environment can't be recorded.
    ///
    /// - Parameters:
    ///   - opening: Opens the log, in a task of its own; called again if it throws. It must not block its thread.
    ///   - storage: Where device id, user and opt-out are kept.
    ///   - clock: What time events get.
    ///   - timer: What the flush interval and retries are measured with.
    ///   - ids: Where identifiers come from.
    ///   - sinks: Where events are delivered, each with its own cursor; names must differ. If the log delivers to another sink
    ///     of the same name already, the ``SinkConflict`` is reported as ``TrackingDiagnostic/log(_:)``, and nothing is
    ///     delivered from here.
    ///   - flushPolicy: When they are delivered.
    ///   - sendingLimit: The guard against a runaway loop; nil takes it away.
    ///   - unplanned: What happens to events without a schema in the plan.
    ///   - session: Whether the newest event's session goes on.
    ///   - consent: What holds for a user who has not said anything.
    ///   - context: What each container says of app and system; nil for nothing.
    ///   - backgroundTime: What keeps the system from suspending the process while the log opens.
    ///   - diagnostics: Receives what could not be done. Called on any thread, without a lock held.
    public static func live(
        opening: @escaping @Sendable () async throws -> any EventStore, storage: any KeyValueStorage,
        clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs, sinks: [any Sink],
        flushPolicy: FlushPolicy = .standard, sendingLimit: SendingLimit? = .standard,
        unplanned: UnplannedEvents = .rejected, session: Session = .resumed,
        consent: ConsentPolicy = .assumed, context: TrackingContext?, backgroundTime: any BackgroundTime = .system,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Self {
        Self(
            Tracker.open(
                { (try await opening(), sinks) }, DeferredStorage(storage), clock: clock, timer: timer, ids: ids,
                flushPolicy: flushPolicy, sendingLimit: sendingLimit, unplanned: unplanned, session: session,
                consent: consent,
                context: context, backgroundTime: backgroundTime, diagnostics: diagnostics))
    }
}
