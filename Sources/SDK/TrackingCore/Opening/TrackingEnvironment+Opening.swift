public import EventLog
internal import Flux
internal import Primitives

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
    /// **If the storage can't be read yet,** because the device was not unlocked since its start, the error is reported to
    /// `diagnostics` as ``TrackingDiagnostic/storage(_:)``, and it is tried again until it can, before the log is opened. Until
    /// then the device's id is all zeros; events that wait get the user that the storage knows. No device id is made, and
    /// an opt-out holds.
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
    ///   - session: Whether the newest event's session goes on.
    ///   - consent: What holds for a user who has not said anything.
    ///   - context: What each container says of app and system; nil for nothing.
    ///   - backgroundTime: What keeps the system from suspending the process while the log opens.
    ///   - diagnostics: Receives what could not be done. Called on any thread, without a lock held.
    public static func live(
        opening: @escaping @Sendable () async throws -> any EventStore, storage: any KeyValueStorage,
        clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs, sinks: [any Sink],
        flushPolicy: FlushPolicy = .standard, sendingLimit: SendingLimit? = .standard, session: Session = .resumed,
        consent: ConsentPolicy = .assumed, context: TrackingContext?, backgroundTime: any BackgroundTime = .system,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Self {
        open(
            { (try await opening(), sinks) }, DeferredStorage(storage), clock: clock, timer: timer, ids: ids,
            flushPolicy: flushPolicy, sendingLimit: sendingLimit, session: session, consent: consent, context: context,
            backgroundTime: backgroundTime, diagnostics: diagnostics)
    }

    /// The same where sinks are made with the log, and the storage may be asked later.
    static func open(
        _ opening: @escaping @Sendable () async throws -> (log: any EventStore, sinks: [any Sink]),
        _ storage: DeferredStorage, clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs,
        flushPolicy: FlushPolicy, sendingLimit: SendingLimit?, session: Session, consent: ConsentPolicy,
        context: TrackingContext?, backgroundTime: any BackgroundTime,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Self {
        let time = OpeningTime(backgroundTime)
        let pending = PendingEventStore(storage: storage, backgroundTime: backgroundTime)
        let held = HeldEvents()
        let flusher = EnvironmentFlusher(after: held)
        let environment: Self
        do {
            environment = try start(
                RecordedDependencies(log: pending, storage: storage, clock: clock, ids: ids, tape: nil),
                flusher: flusher,
                held: held, sendingLimit: sendingLimit, session: session, consent: consent, context: context,
                recording: nil,
                observing: { _, _ in }, diagnostics: diagnostics)
        } catch {
            preconditionFailure("internal error; please report it: \(error)")  // what a start reads was read before
        }
        let tracking = environment.tracking
        Task {
            defer { time.end() }
            if let identity = await storage.awaitReading(timer, report: { diagnostics(.storage($0)) }) {
                environment.adopt(identity, storage, pending)
            }
            let (log, sinks) = await Retry(timer).value(opening) { error, isFirst in
                if isFirst { diagnostics(.log(error)) }
                do { try pending.attemptFailed(error) } catch { diagnostics(.storage(error)) }
                held.attemptFailed(error)
                // The attempts may go on for long, and what is to be stored is in memory only.
                time.end()
            }
            do { try pending.open(log) } catch { diagnostics(.storage(error)) }
            do { tracking.pipeline.wasOpened(session: try session.rule(log, storage)) } catch {
                diagnostics(.storage(error))
            }
            // Before any event is in the log: what must not be delivered is not.
            if tracking.isOptedOut { await tracking.migrateOptOut() }
            await held.performSteps()
            do {
                flusher.set(
                    try EventFlusher(
                        log: log, sinks: sinks, policy: flushPolicy, clock: clock, timer: timer,
                        diagnostics: diagnostics))
            } catch { diagnostics(.log(error)) }
            tracking.domain.actionCreator.sendHeld(held) { tracking.store($0, forKey: Tracker.endedSessionKey) }
        }
        return environment
    }

    /// Goes on as the device and the user that the storage knows.
    private func adopt(
        _ identity: DeferredStorage.Identity, _ storage: DeferredStorage, _ pending: PendingEventStore
    ) {
        let stored = identity.deviceID.flatMap { $0.isEmpty ? nil : $0 }
        // A reset has made one meanwhile; or this is the first start.
        let deviceID = stored ?? (try? storage.string(forKey: DeviceActionCreator.key)) ?? device.actionCreator.renew()
        if device.store.state.deviceID == DeferredStorage.unknownDeviceID {
            device.actionCreator.dispatcher.dispatch(DeviceAction(deviceID: deviceID))
        }
        let (pipeline, userID) = (tracking.pipeline, identity.userID ?? deviceID)
        pipeline.adopt(deviceID: deviceID, userID: userID, isOptedOut: identity.isOptedOut)
        guard pipeline.requiresConsent else { return }
        for user in Set(pipeline.ownUserIDs + [userID, deviceID]) { pending.requireConsent(of: user) }
    }
}

/// Background time from the call that begins an opening to the end of it, or until it expires. A log that waits for a lock
/// then holds none, and goes on when the process does.
private final class OpeningTime: Sendable {
    private struct State {
        var assertion: (any BackgroundAssertion)?
        var hasEnded = false
    }

    private let state = Locked(State())

    init(_ time: any BackgroundTime) {
        let assertion = time.begin("Opening the event log") { [weak self] in self?.end() }
        let hasEnded = state.withLock { state in
            state.assertion = assertion
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    func end() {
        let assertion = state.withLock { state in
            state.hasEnded = true
            defer { state.assertion = nil }
            return state.assertion
        }
        assertion?.end()
    }
}

/// Tries until something succeeds: again after 1 second, 2, 4 and so on up to 30.
struct Retry {
    let timer: any Clock<Duration>

    init(_ timer: any Clock<Duration>) { self.timer = timer }

    /// - Parameter report: Gets each error, before the wait.
    func value<Value>(
        _ attempt: () async throws -> Value, report: (_ error: any Error, _ isFirst: Bool) -> Void
    ) async -> Value {
        var wait = Duration.seconds(1)
        while true {
            do { return try await attempt() } catch {
                report(error, wait == .seconds(1))
                try? await timer.sleep(for: wait, tolerance: nil)  // nothing cancels it
                wait = min(wait * 2, .seconds(30))
            }
        }
    }
}
